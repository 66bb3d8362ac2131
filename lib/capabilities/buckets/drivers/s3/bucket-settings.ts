import {
  type LifecycleRule,
  PutBucketEncryptionCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketVersioningCommand,
  PutPublicAccessBlockCommand,
  type ServerSideEncryptionByDefault,
} from '@aws-sdk/client-s3';
import type { Parameters } from '../driver.ts';
import { unless } from './call.ts';
import type { Store } from './store.ts';

/** Each of these sets the whole of what it is about, so that doing it again changes nothing. */
export async function applySettings(store: Store, bucket: string, parameters: Parameters): Promise<void> {
  await blockPublicAccess(store, bucket);
  if (parameters.encryption) await encrypt(store, bucket, parameters);
  if (parameters.versioning === 'true') await version(store, bucket);
  if (parameters.expireDays) await expire(store, bucket, Number(parameters.expireDays));
}

/** Where a store knows no such setting it mostly knows no public access either. */
async function blockPublicAccess({ s3, call }: Store, bucket: string): Promise<void> {
  const all = { BlockPublicAcls: true, IgnorePublicAcls: true, BlockPublicPolicy: true, RestrictPublicBuckets: true };
  const command = new PutPublicAccessBlockCommand({ Bucket: bucket, PublicAccessBlockConfiguration: all });
  const blocking = call('s3:PutBucketPublicAccessBlock', (options) => s3.send(command, options));
  await unless(['NotImplemented', 'MethodNotAllowed'], blocking);
}

async function encrypt({ s3, call }: Store, bucket: string, { encryption, kmsKeyId }: Parameters): Promise<void> {
  const algorithm: ServerSideEncryptionByDefault =
    encryption === 'aws:kms'
      ? { SSEAlgorithm: 'aws:kms', ...(kmsKeyId ? { KMSMasterKeyID: kmsKeyId } : {}) }
      : { SSEAlgorithm: 'AES256' };
  // One key for the bucket is asked of KMS now and then, instead of one for each object.
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

/** Of a versioned object only the current version expires by the first line; it would stay as a former one for ever. */
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
