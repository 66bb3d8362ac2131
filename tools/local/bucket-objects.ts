import type { Bucket, BucketClass, BucketContent } from '../../lib/capabilities/buckets/objects.ts';
import type { Secret } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';

/** The driver that serverless.yml deploys by default. */
export const driverName = 's3.longshore.dev';

export function bucketClass(name: string, fields: Partial<BucketClass> = {}): BucketClass {
  const { apiVersion, kind } = resources.bucketClass;
  return { apiVersion, kind, metadata: { name }, provisioner: driverName, ...fields };
}

export function bucket(
  namespace: string,
  name: string,
  bucketClassName: string,
  spec: Partial<Bucket['spec']> = {},
): Bucket {
  const { apiVersion, kind } = resources.bucket;
  const metadata = { namespace, name };
  return { apiVersion, kind, metadata, spec: { bucketClassName, secretName: `${name}-credentials`, ...spec } };
}

export function secretOf({ metadata, spec }: Bucket): Secret {
  const { apiVersion, kind } = resources.secret;
  return { apiVersion, kind, metadata: { namespace: metadata.namespace ?? '', name: spec.secretName } };
}

export function contentNamed(name: string): Pick<BucketContent, 'apiVersion' | 'kind' | 'metadata'> {
  const { apiVersion, kind } = resources.bucketContent;
  return { apiVersion, kind, metadata: { name } };
}

export function isBound({ status }: Bucket): boolean {
  return status?.phase === 'Bound';
}

/** The environment of a container that has the Secret as `envFrom`. */
export function environmentIn({ data = {} }: Secret): Record<string, string> {
  const values = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]);
  return Object.fromEntries(values);
}
