import type { DeploymentContext } from './deployment-context.ts';
import { keyOf } from './encryption.ts';
import type { Output, Resource } from './service.ts';
import { arnOf, onlyEncrypted, policyOf, substituted } from './statements.ts';

const bucket = 'ArchiveBucket';
const everything = substituted(`\${${bucket}.Arn}/*`);

export const archiveName = { Ref: bucket };

export const segments = substituted(`\${${bucket}.Arn}/cluster=*`);
/** The progress of replays, beside the segments. */
export const replays = substituted(`\${${bucket}.Arn}/replays/*`);
export const archiveArn = arnOf(bucket);

/**
 * The archive of sent messages. CloudFormation names it: the bucket outlives its stack, with its lifecycle rule and its
 * policy, and a fixed name would keep the next stack of that name from being created. A bucket whose creation is rolled back
 * is empty, and is deleted with it.
 */
export function archiveResources(context: DeploymentContext): Record<string, Resource> {
  const { parameters } = context;
  if (!parameters.archive) return {};
  return {
    [bucket]: {
      Type: 'AWS::S3::Bucket',
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BucketEncryption: { ServerSideEncryptionConfiguration: [encryption(keyOf(context))] },
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

/** The time for which overwritten or deleted objects can be restored. */
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
  // An S3 bucket key for many segments, so that not every one is a call to KMS.
  return { BucketKeyEnabled: true, ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: key } };
}

export function archiveOutputs({ parameters }: DeploymentContext): Record<string, Output> {
  return parameters.archive ? { ArchiveBucketName: { Value: archiveName } } : {};
}
