import type { Uid } from '../../kubernetes/brands.ts';
import type { OwnerReference, Secret } from '../../kubernetes/objects.ts';
import { resources } from '../../kubernetes/resources.ts';
import type { BucketLocation, Parameters } from './drivers/driver.ts';
import { bucketAnnotation, labelsFor, sourceSecretNameOf, systemNamespace } from './names.ts';
import type { Bucket, BucketContent } from './objects.ts';

/** The Secret for the driver's credentials, still empty: created before there are any. */
export function sourceSecretFor(content: BucketContent): Secret {
  return {
    ...secretNamed(systemNamespace, sourceSecretNameOf(content)),
    metadata: {
      namespace: systemNamespace,
      name: sourceSecretNameOf(content),
      labels: labelsFor(content.spec.provisioner),
      ownerReferences: [ownedBy(resources.bucketContent, content)],
    },
  };
}

/** The Secret that the workload reads. */
export function userSecretFor(bucket: Bucket, content: BucketContent, data: Record<string, string>): Secret {
  const { namespace = '', uid = '' } = bucket.metadata;
  const secret = secretNamed(namespace, bucket.spec.secretName);
  return {
    ...secret,
    metadata: {
      ...secret.metadata,
      labels: labelsFor(content.spec.provisioner),
      annotations: { [bucketAnnotation]: uid },
      ownerReferences: [ownedBy(resources.bucket, bucket)],
    },
    data,
  };
}

/** By its owner reference, or by our mark if someone has removed the reference. */
export function isOwned(secret: Secret, owner: Bucket | BucketContent): boolean {
  const { uid = '' } = owner.metadata;
  return isReferring(secret, uid) || secret.metadata.annotations?.[bucketAnnotation] === uid;
}

export function isReferring({ metadata }: Secret, uid: Uid): boolean {
  return metadata.ownerReferences?.some((reference) => reference.uid === uid) ?? false;
}

export function ownedBy(
  resource: { apiVersion: string; kind: string },
  { metadata }: Bucket | BucketContent,
): OwnerReference {
  const { apiVersion, kind } = resource;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true };
}

/** All that an application needs: the credentials, the bucket's location, and both again as COSI's BucketInfo. */
export function environmentOf(location: BucketLocation, credentials: Parameters): Record<string, string> {
  const { host, port } = addressOf(location.endpoint);
  return {
    ...credentials,
    BUCKET_NAME: location.bucket,
    BUCKET_HOST: host,
    BUCKET_PORT: port,
    BUCKET_REGION: location.region,
    COSI_PROTOCOL: location.protocol,
    BucketInfo: JSON.stringify(bucketInfo(location, credentials)),
  };
}

/**
 * The keys of the credentials that workloads need and that a content's Secret lacks. The Secret of a static class,
 * which an administrator created by hand, is accepted as it is.
 */
export function keysMissingIn({ data = {} }: Secret, { spec }: BucketContent): string[] {
  if (spec.flow === 'Static') return [];
  const credentials =
    spec.parameters?.credentials === 'role' ? ['AWS_ROLE_ARN'] : ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
  return [...credentials, 'AWS_REGION', 'AWS_ENDPOINT_URL_S3', ...aboutTheBucket].filter((key) => !data[key]);
}

const aboutTheBucket = ['BUCKET_NAME', 'BUCKET_HOST', 'BUCKET_PORT', 'BUCKET_REGION', 'COSI_PROTOCOL', 'BucketInfo'];

/** The entries of a Secret that the driver returned. */
export function onlyCredentials(values: Parameters): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !aboutTheBucket.includes(key)));
}

function bucketInfo({ protocol, bucket, endpoint, region }: BucketLocation, credentials: Parameters): object {
  const { AWS_ACCESS_KEY_ID: accessKeyID, AWS_SECRET_ACCESS_KEY: accessSecretKey } = credentials;
  const secretS3 = { endpoint, region, ...(accessKeyID ? { accessKeyID, accessSecretKey } : {}) };
  const authenticationType = accessKeyID ? 'Key' : 'IAM';
  return {
    metadata: { name: bucket },
    spec: { bucketName: bucket, authenticationType, secretS3, protocols: [protocol] },
  };
}

function addressOf(endpoint: string): { host: string; port: string } {
  const { hostname, port, protocol } = new URL(endpoint);
  return { host: hostname, port: port || (protocol === 'http:' ? '80' : '443') };
}

export function encode(values: Parameters): Record<string, string> {
  const encoded = Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return Object.fromEntries(encoded);
}

export function decode({ data = {} }: Secret): Record<string, string> {
  const decoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]);
  return Object.fromEntries(decoded);
}

/** The patch that turns one Secret's data into another's; undefined if they are equal. */
export function dataPatch(before: Secret['data'] = {}, after: Record<string, string>): object | undefined {
  const superfluous = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const changed = Object.entries(after).filter(([key, value]) => before[key] !== value);
  if (superfluous.length === 0 && changed.length === 0) return undefined;
  return { ...Object.fromEntries(changed), ...Object.fromEntries(superfluous.map((key) => [key, null])) };
}

function secretNamed(namespace: string, name: string): Secret {
  const { apiVersion, kind } = resources.secret;
  return { apiVersion, kind, metadata: { namespace, name }, type: 'Opaque' };
}
