import { PutBucketEncryptionCommand, PutBucketLifecycleConfigurationCommand } from '@aws-sdk/client-s3';
import { expect, test } from '@jest/globals';
import type { Connect } from '../../../../../lib/capabilities/buckets/drivers/s3/connection-settings.ts';
import { createS3Driver } from '../../../../../lib/capabilities/buckets/drivers/s3/s3-driver.ts';
import { FakeStore } from '../../../../support/fake-store.ts';
import { creating, region } from './requests.ts';

/** What the store is told word by word, most of which the fake one does not keep. */
async function toldOf(parameters: Record<string, string>): Promise<object[]> {
  const store = new FakeStore();
  const told: object[] = [];
  const connect: Connect = (settings) => {
    const { s3, iam } = store.connect(settings);
    const send = (command: object) => {
      told.push(command);
      return s3.send(command as never);
    };
    return { s3: { send } as unknown as typeof s3, iam };
  };
  const driver = createS3Driver('s3.example.com', connect, { identity: 'main' });
  expect(await driver.createBucket(creating({ parameters: { region, ...parameters } }))).toEqual({ result: 'created' });
  return told;
}

const kmsKeyId = 'arn:aws:kms:eu-central-1:111122223333:key/0d6a5b1c';

test('what expires goes with its former versions and unfinished uploads, so that nothing is kept for ever', async () => {
  const told = await toldOf({ versioning: 'true', expireDays: '7' });
  const command = told.find((each) => each instanceof PutBucketLifecycleConfigurationCommand);
  expect(command?.input.LifecycleConfiguration?.Rules).toEqual([
    {
      ID: 'longshore',
      Status: 'Enabled',
      Filter: { Prefix: '' },
      Expiration: { Days: 7 },
      NoncurrentVersionExpiration: { NoncurrentDays: 7 },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
    },
  ]);
});

test.each([
  [{ encryption: 'aws:kms', kmsKeyId }, { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: kmsKeyId }, true],
  [{ encryption: 'aws:kms' }, { SSEAlgorithm: 'aws:kms' }, true],
  [{ encryption: 'AES256' }, { SSEAlgorithm: 'AES256' }, false],
])('with %j KMS is asked for one key of the bucket, and not for one of each object', async (parameters, by, hasKey) => {
  const told = await toldOf(parameters as Record<string, string>);
  const command = told.find((each) => each instanceof PutBucketEncryptionCommand);
  expect(command?.input.ServerSideEncryptionConfiguration?.Rules).toEqual([
    { ApplyServerSideEncryptionByDefault: by, BucketKeyEnabled: hasKey },
  ]);
});
