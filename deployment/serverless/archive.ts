import { keyOf } from './encryption.ts';
import type { Output, Resource } from './service.ts';
import { arnOf, onlyEncrypted, policyOf, substituted } from './statements.ts';
import type { Surroundings } from './surroundings.ts';

const bucket = 'ArchiveBucket';
const everything = substituted(`\${${bucket}.Arn}/*`);

export const archiveName = { Ref: bucket };

export const segments = substituted(`\${${bucket}.Arn}/cluster=*`);
/** What a replay keeps beside them: how far it has come. */
export const replays = substituted(`\${${bucket}.Arn}/replays/*`);
export const archiveArn = arnOf(bucket);

/**
 * What the forwarder has sent. CloudFormation names it: the bucket outlives its stack, with its rule of expiry and its policy,
 * and a name of ours would keep the next stack of that name from being made. One whose creation is rolled back is empty, and
 * goes with it.
 */
export function archiveResources(surroundings: Surroundings): Record<string, Resource> {
  const { parameters } = surroundings;
  if (!parameters.archive) return {};
  return {
    [bucket]: {
      Type: 'AWS::S3::Bucket',
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BucketEncryption: { ServerSideEncryptionConfiguration: [encryption(keyOf(surroundings))] },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        VersioningConfiguration: { Status: 'Enabled' },
        LifecycleConfiguration: { Rules: expiry(parameters['archive-days']) },
      },
    },
    [`${bucket}Policy`]: {
      Type: 'AWS::S3::BucketPolicy',
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        Bucket: { Ref: bucket },
        PolicyDocument: policyOf(onlyEncrypted('s3:*', [arnOf(bucket), everything])),
      },
    },
  };
}

/** What somebody overwrites or deletes can be had again for so long. */
const formerDays = 14;

function expiry(days: number): object[] {
  const enabled = { Status: 'Enabled' };
  return [
    {
      ...enabled,
      Id: 'expire',
      ExpirationInDays: days,
      NoncurrentVersionExpiration: { NoncurrentDays: formerDays },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
    },
    { ...enabled, Id: 'clear', ExpiredObjectDeleteMarker: true },
  ];
}

function encryption(key: unknown): object {
  if (!key) return { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } };
  // One key of S3 for many segments, so that not each of them is a call to KMS.
  return { BucketKeyEnabled: true, ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: key } };
}

export function archiveOutputs({ parameters }: Surroundings): Record<string, Output> {
  return parameters.archive ? { ArchiveBucketName: { Value: archiveName } } : {};
}
