import { describe, expect, test } from '@jest/globals';
import { noArchive } from '../../../lib/archive/archive.ts';
import { readConfig } from '../../../lib/runtime/config.ts';
import { completed, propertiesOf } from '../../support/completed-service.ts';
import { messageOf } from './fake-segments.ts';

const given = {
  LONGSHORE_FUNCTION: 'forward',
  LONGSHORE_CLUSTERS: '[{"name":"main","access":{"type":"kubeconfig","from":"file:/a"}}]',
};

describe('the variable', () => {
  test.each([undefined, ''])('%p means that there is no archive', (value) => {
    expect(readConfig({ ...given, LONGSHORE_ARCHIVE: value }).archive).toBeUndefined();
  });

  test('names the bucket', () => {
    expect(readConfig({ ...given, LONGSHORE_ARCHIVE: 'longshore-archive-1' }).archive).toBe('longshore-archive-1');
  });

  test.each(['s3://bucket', 'arn:aws:s3:::bucket', 'Bucket', 'ab', 'bucket/prefix'])('is not %s', (value) => {
    expect(() => readConfig({ ...given, LONGSHORE_ARCHIVE: value })).toThrow(
      'LONGSHORE_ARCHIVE must be the name of an S3 bucket alone',
    );
  });
});

test('without an archive a message counts as written at once', async () => {
  let count = 0;
  noArchive.add(messageOf('a'), () => {
    count += 1;
  });
  await noArchive.close(0);
  expect([count, noArchive.unwrittenBytes]).toEqual([1, 0]);
});

describe('a deployment', () => {
  const deployed = completed({ 'archive-days': '7' });
  const { ArchiveBucket, ArchiveBucketPolicy } = deployed.resources.Resources;
  const bucket = propertiesOf(deployed, 'ArchiveBucket');

  test('has nothing of the archive where it is turned off', () => {
    const without = completed({ archive: 'off' });
    expect(JSON.stringify([without.functions, without.resources])).not.toContain('Archive');
    expect(without.functions.forward?.environment).not.toHaveProperty('LONGSHORE_ARCHIVE');
    expect(deployed.functions.forward?.environment.LONGSHORE_ARCHIVE).toEqual({ Ref: 'ArchiveBucket' });
    expect(deployed.resources.Outputs.ArchiveBucketName).toEqual({ Value: { Ref: 'ArchiveBucket' } });
  });

  test('keeps the bucket when the stack goes, and lets CloudFormation name it, so that the stack can be made again', () => {
    for (const kept of [ArchiveBucket, ArchiveBucketPolicy]) {
      expect([kept?.DeletionPolicy, kept?.UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
    }
    expect(bucket).not.toHaveProperty('BucketName');
  });

  test('closes the bucket to everybody and to connections that are not encrypted', () => {
    expect(bucket.BucketEncryption).toEqual({
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
    });
    const access = bucket.PublicAccessBlockConfiguration as Record<string, boolean>;
    expect(Object.values(access)).toEqual([true, true, true, true]);
    expect(propertiesOf(deployed, 'ArchiveBucketPolicy').PolicyDocument).toMatchObject({
      Statement: [
        { Effect: 'Deny', Principal: '*', Action: 's3:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      ],
    });
  });

  test('lets what is archived expire, and what was overwritten or deleted some time later', () => {
    expect(bucket.VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect(bucket.LifecycleConfiguration).toMatchObject({
      Rules: [
        { Status: 'Enabled', ExpirationInDays: 7, NoncurrentVersionExpiration: { NoncurrentDays: 14 } },
        { Status: 'Enabled', ExpiredObjectDeleteMarker: true },
      ],
    });
  });
});
