import type { Bucket, BucketClass, Registration } from '../../../lib/buckets/objects.ts';
import type { ConfigMap, Secret } from '../../../lib/cluster/objects.ts';
import { resources } from '../../../lib/cluster/resources.ts';

/** The namespaces of a run: both Buckets are in the first, Longshore's own things in the second. */
export const team = 'team';
export const system = 'longshore-system';
export const driverName = 's3.test';
export const identity = 'ours';
export const className = 'store';
export const secretName = 'creds';
/** A bucket that was there before, with data in it, and what an administrator has made by hand. */
export const oldBucket = 'archive';
export const givenSecret = 'given';

/** The four ways a class can have it. */
export const wishes = ['deleted', 'retained', 'brownfield', 'static'] as const;
export type Wish = (typeof wishes)[number];

const of: Record<Wish, Partial<BucketClass>> = {
  deleted: { provisioner: driverName, releasePolicy: 'Delete' },
  retained: { provisioner: driverName, releasePolicy: 'Retain' },
  brownfield: { provisioner: driverName, releasePolicy: 'Retain', bucketIdentifier: oldBucket },
  static: { releasePolicy: 'Retain', secretRef: { namespace: system, name: givenSecret } },
};

export function classOf(wish: Wish): BucketClass {
  const { apiVersion, kind } = resources.bucketClass;
  return { apiVersion, kind, metadata: { name: className }, ...of[wish], accessMode: 'rw' };
}

export function bucketOf(name: string): Bucket {
  const { apiVersion, kind } = resources.bucket;
  const metadata = { namespace: team, name };
  return { apiVersion, kind, metadata, spec: { bucketClassName: className, secretName: secretOf(name) } };
}

export function secretOf(bucket: string): string {
  return bucket === 'photos' ? secretName : `${secretName}-of-${bucket}`;
}

/** A Secret that somebody made who knows nothing of buckets. */
export function foreignSecret(namespace: string, name: string): Secret {
  const { apiVersion, kind } = resources.secret;
  return { apiVersion, kind, metadata: { namespace, name }, type: 'Opaque', data: { mine: 'b25seQ==' } };
}

/** What the administrator of a static class has made by hand. */
export function givenCredentials(): Secret {
  return { ...foreignSecret(system, givenSecret), data: { AWS_ACCESS_KEY_ID: 'Z2l2ZW4=', BUCKET_NAME: 'Z2l2ZW4=' } };
}

export function strangersRegistration(): Registration {
  const { apiVersion, kind } = resources.registration;
  return { apiVersion, kind, metadata: { name: driverName }, spec: { identity: 'stranger' } };
}

export function settingsOff(): ConfigMap {
  const { apiVersion, kind } = resources.configMap;
  return { apiVersion, kind, metadata: { namespace: system, name: 'longshore' }, data: { buckets: 'off' } };
}
