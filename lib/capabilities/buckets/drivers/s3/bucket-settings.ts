import {
  type LifecycleRule,
  PutBucketEncryptionCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketVersioningCommand,
  PutPublicAccessBlockCommand,
  type ServerSideEncryptionByDefault,
} from '@aws-sdk/client-s3';
import type { Parameters } from '../driver.ts';
import { ignoring } from './call.ts';
import type { Store } from './store.ts';

/** Each of these replaces its whole setting, so that repeating it changes nothing. */
export async function applySettings(store: Store, bucket: string, parameters: Parameters): Promise<void> {
  await blockPublicAccess(store, bucket);
  if (parameters.encryption) await encrypt(store, bucket, parameters);
  if (parameters.versioning === 'true') await version(store, bucket);
  if (parameters.expireDays) await expire(store, bucket, Number(parameters.expireDays));
}

/** A store without this setting mostly has no public access either. */
async function blockPublicAccess({ s3, call }: Store, bucket: string): Promise<void> {
  const all = { BlockPublicAcls: true, IgnorePublicAcls: true, BlockPublicPolicy: true, RestrictPublicBuckets: true };
  const command = new PutPublicAccessBlockCommand({ Bucket: bucket, PublicAccessBlockConfiguration: all });
  const blocking = call('s3:PutBucketPublicAccessBlock', (options) => s3.send(command, options));
  await ignoring(['NotImplemented', 'MethodNotAllowed'], blocking);
}

async function encrypt({ s3, call }: Store, bucket: string, { encryption, kmsKeyId }: Parameters): Promise<void> {
  const algorithm: ServerSideEncryptionByDefault =
    encryption === 'aws:kms'
      ? { SSEAlgorithm: 'aws:kms', ...(kmsKeyId ? { KMSMasterKeyID: kmsKeyId } : {}) }
      : { SSEAlgorithm: 'AES256' };
  // With a bucket key, KMS is called now and then, instead of for each object.
  const rule = { ApplyServerSideEncryptionByDefault: algorithm, BucketKeyEnabled: encryption === 'aws:kms' };
  const command = new PutBucketEncryptionCommand({
    Bucket: bucket,
    ServerSideEncryptionConfiguration: { Rules: [rule] },
  });
  await call('s3:PutEncryptionConfiguration', (options) => s3.send(command, options));
}

async function version({ s3, call }: Store, bucket: string): Promise<void> {
  const command = new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status: 'Enabled' } });
  await call('s3:PutBucketVersioning', (options) => s3.send(command, options));
}

/** `Expiration` only expires the current version of a versioned object, which would stay as a noncurrent one forever. */
async function expire({ s3, call }: Store, bucket: string, days: number): Promise<void> {
  const rule: LifecycleRule = {
    ID: 'longshore',
    Status: 'Enabled',
    Filter: { Prefix: '' },
    Expiration: { Days: days },
    NoncurrentVersionExpiration: { NoncurrentDays: days },
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: days },
  };
  const command = new PutBucketLifecycleConfigurationCommand({
    Bucket: bucket,
    LifecycleConfiguration: { Rules: [rule] },
  });
  await call('s3:PutLifecycleConfiguration', (options) => s3.send(command, options));
}
