import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { noArchive } from '../../../lib/archive/archive.ts';
import { readConfig } from '../../../lib/config.ts';
import { messageOf } from './fake-segments.ts';

const text = await readFile(new URL('../../../serverless.yml', import.meta.url), 'utf8');
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

describe('serverless.yml', () => {
  const customTags = ['!GetAtt', '!Ref', '!Sub'].map((tag) => ({ tag, resolve: (value: string) => value }));
  const service = parse(text, { merge: true, customTags });
  const { Resources, Conditions, Outputs } = service.resources;

  test('has nothing of the archive where it is turned off, and takes no other word for that', () => {
    expect(service.custom.archives).toEqual({ on: 'kept', off: 'none' });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: these are variables of serverless.yml.
    const chosen = '${self:custom.archives.${param:archive}}';
    expect(Conditions.Archive).toEqual({ 'Fn::Equals': [chosen, 'kept'] });
    const parts = [Resources.ArchiveBucket, Resources.ArchiveBucketPolicy, Resources.ForwardArchivePolicy];
    expect([...parts, Outputs.ArchiveBucketName].map(({ Condition }) => Condition)).toEqual(Array(4).fill('Archive'));
    expect(service.functions.forward.environment.LONGSHORE_ARCHIVE).toEqual({
      'Fn::If': ['Archive', 'ArchiveBucket', 'AWS::NoValue'],
    });
  });

  test('keeps the bucket when the stack goes, and lets CloudFormation name it, so that the stack can be made again', () => {
    for (const kept of [Resources.ArchiveBucket, Resources.ArchiveBucketPolicy]) {
      expect([kept.DeletionPolicy, kept.UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
    }
    expect(Resources.ArchiveBucket.Properties).not.toHaveProperty('BucketName');
  });

  test('closes the bucket to everybody and to connections that are not encrypted', () => {
    const { BucketEncryption, PublicAccessBlockConfiguration } = Resources.ArchiveBucket.Properties;
    expect(BucketEncryption.ServerSideEncryptionConfiguration).toHaveLength(1);
    expect(Object.values(PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
    expect(Resources.ArchiveBucketPolicy.Properties.PolicyDocument.Statement).toMatchObject([
      { Effect: 'Deny', Principal: '*', Action: 's3:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    ]);
  });

  test('lets what is archived expire, and lets the forwarder put objects and nothing else', () => {
    const [rule] = Resources.ArchiveBucket.Properties.LifecycleConfiguration.Rules;
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is a variable of serverless.yml.
    expect(rule).toMatchObject({ Status: 'Enabled', ExpirationInDays: '${param:archive-days}' });
    const { Roles, PolicyDocument } = Resources.ForwardArchivePolicy.Properties;
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is a variable of CloudFormation.
    const Resource = '${ArchiveBucket.Arn}/cluster=*';
    expect([Roles, PolicyDocument.Statement]).toEqual([
      ['ForwardRole'],
      [{ Effect: 'Allow', Action: 's3:PutObject', Resource }],
    ]);
  });
});
