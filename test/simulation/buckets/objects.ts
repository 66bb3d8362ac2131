import { finalizer } from '../../../lib/capabilities/buckets/names.ts';
import type { Bucket, BucketClass, BucketContent, Registration } from '../../../lib/capabilities/buckets/objects.ts';
import type { ConfigMap, Secret } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';

/** The namespaces of a run: most Buckets are in the first, Longshore's own things in the second. */
export const team = 'team';
/** Where somebody else uses what was made for the first one. */
export const guests = 'guests';
export const system = 'longshore-system';
export const driverName = 's3.test';
export const identity = 'ours';
export const className = 'store';
export const secretName = 'creds';
/** A bucket that was there before, with data in it, and what an administrator has made by hand. */
export const oldBucket = 'archive';
export const givenSecret = 'given';
/** The administrator's keys of the store, for classes that name them. */
export const driverSecret = 'administrator';
export const rightKey = 'key-of-the-administrator';
/** A driver of which nobody says where its buckets are. */
export const nowhereDriver = 's3.nowhere';

/** Another deployment of the same account, whose cluster has the same name: what is its own. */
export const theirs = {
  identity: 'theirs',
  uid: '99999999-0000-4000-8000-000000000001',
  bucket: 'pictures-99999999000040008000000000000001',
  user: 'cosi-99999999000040008000000000000001',
} as const;

/** The four ways a class can have it. */
export const wishes = ['deleted', 'retained', 'brownfield', 'static'] as const;
export type Wish = (typeof wishes)[number];

const of: Record<Wish, Partial<BucketClass>> = {
  deleted: { provisioner: driverName, releasePolicy: 'Delete' },
  retained: { provisioner: driverName, releasePolicy: 'Retain' },
  brownfield: { provisioner: driverName, releasePolicy: 'Retain', bucketIdentifier: oldBucket },
  static: { releasePolicy: 'Retain', secretRef: { namespace: system, name: givenSecret } },
};

/** What is there already is given to one namespace. */
export function isForTeamAlone(wish: Wish): boolean {
  return wish === 'brownfield' || wish === 'static';
}

export function classOf(wish: Wish, hasOwnKeys = false): BucketClass {
  const annotations = isForTeamAlone(wish) ? { 'longshore.dev/namespaces': team } : {};
  const keys = hasOwnKeys && wish !== 'static' ? { parameters: { driverSecretName: driverSecret } } : {};
  return classNamed(className, { ...of[wish], ...keys }, annotations);
}

export function classNamed(name: string, fields: Partial<BucketClass>, annotations = {}): BucketClass {
  const { apiVersion, kind } = resources.bucketClass;
  return { apiVersion, kind, metadata: { name, annotations }, ...fields, accessMode: 'rw' };
}

/** Gives access to what was made for somebody. */
export function classLending(bucket: string): BucketClass {
  return classNamed('lent', { provisioner: driverName, releasePolicy: 'Retain', bucketIdentifier: bucket });
}

export const hopelessClass = classNamed('hopeless', { provisioner: nowhereDriver, releasePolicy: 'Delete' });

export function bucketOf(name: string, namespace = team, bucketClassName = className): Bucket {
  const { apiVersion, kind } = resources.bucket;
  return { apiVersion, kind, metadata: { namespace, name }, spec: { bucketClassName, secretName: secretOf(name) } };
}

/** As an administrator of our own cluster can write it: it says that what the others have made was made for it. */
export function forgedContent(): BucketContent {
  const { apiVersion, kind } = resources.bucketContent;
  const bucketRef = { namespace: team, name: 'ghost', uuid: theirs.uid };
  const spec = {
    flow: 'Greenfield',
    releasePolicy: 'Delete',
    bucketClassName: className,
    provisioner: driverName,
  } as const;
  const metadata = { name: 'forged', finalizers: [finalizer] };
  return { apiVersion, kind, metadata, spec: { ...spec, bucketRef, bucketIdentifier: theirs.bucket } };
}

export function driverKeys(key: string): Secret {
  const data = { AWS_ACCESS_KEY_ID: btoa('AKIAADMINISTRATOR'), AWS_SECRET_ACCESS_KEY: btoa(key) };
  return { ...foreignSecret(system, driverSecret), data };
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
