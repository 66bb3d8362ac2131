import type { AccessMode, Parameters } from '../driver.ts';
import { partitionOf } from './connection-settings.ts';
import { invalid } from './errors.ts';

interface Statement {
  Effect: 'Allow';
  Action: string[];
  Resource: string;
  Condition?: Record<string, Record<string, string>>;
}

const reading = {
  bucket: ['s3:ListBucket', 's3:GetBucketLocation'],
  objects: ['s3:GetObject', 's3:GetObjectVersion'],
  keys: ['kms:Decrypt'],
};

/** A write-only consumer can read nothing, and destroys only what it overwrites. */
const writing = {
  bucket: ['s3:GetBucketLocation'],
  objects: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
  // The parts of an upload are read again when it is completed.
  keys: ['kms:GenerateDataKey', 'kms:Decrypt'],
};

/** Without s3:DeleteObjectVersion: if the class enables versioning, no consumer can undo that. */
const both = {
  bucket: [...reading.bucket, 's3:ListBucketMultipartUploads'],
  objects: [...reading.objects, ...writing.objects, 's3:DeleteObject'],
  keys: writing.keys,
};

const allowed: Record<AccessMode, typeof both> = { ro: reading, wo: writing, rw: both };

/**
 * The names that buckets can have, or could ever have had. Other characters in a policy would match other buckets too.
 */
const bucketName = /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/;

/** The least privileges for the mode, on this bucket only. */
export function accessPolicy(mode: AccessMode, bucket: string, region: string, { kmsKeyId }: Parameters): string {
  if (!bucketName.test(bucket)) throw invalid(`The bucket ${JSON.stringify(bucket)} has an invalid name`);
  const { bucket: onBucket, objects, keys } = allowed[mode];
  const arn = `arn:${partitionOf(region)}:s3:::${bucket}`;
  const statements: Statement[] = [
    { Effect: 'Allow', Action: onBucket, Resource: arn },
    { Effect: 'Allow', Action: objects, Resource: `${arn}/*` },
  ];
  if (kmsKeyId) {
    // Only for calls by S3 on the consumer's behalf.
    const Condition = { StringEquals: { 'kms:ViaService': `s3.${region}.amazonaws.com` } };
    statements.push({ Effect: 'Allow', Action: keys, Resource: kmsKeyId, Condition });
  }
  return JSON.stringify({ Version: '2012-10-17', Statement: statements });
}

/** Lets the service account of one namespace assume the role, with the token from its cluster. */
export function trustPolicy(namespace: string, { oidcProvider = '', serviceAccount = '' }: Parameters): string {
  const issuer = oidcProvider.slice(oidcProvider.indexOf('oidc-provider/') + 'oidc-provider/'.length);
  const subject = { [`${issuer}:sub`]: `system:serviceaccount:${namespace}:${serviceAccount}` };
  const audience = { [`${issuer}:aud`]: 'sts.amazonaws.com' };
  const Condition =
    serviceAccount === '*'
      ? { StringEquals: audience, StringLike: subject }
      : { StringEquals: { ...audience, ...subject } };
  const statement = {
    Effect: 'Allow',
    Principal: { Federated: oidcProvider },
    Action: 'sts:AssumeRoleWithWebIdentity',
    Condition,
  };
  return JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
}
