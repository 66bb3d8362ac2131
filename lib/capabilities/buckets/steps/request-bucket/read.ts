import type { Name } from '../../../../kubernetes/brands.ts';
import type { Cluster } from '../../../../kubernetes/cluster.ts';
import { nameOf, resources } from '../../../../kubernetes/resources.ts';
import type { World } from '../../../../reconcile/step.ts';
import type { Bucket, BucketClass } from '../../objects.ts';
import type { RequestReason } from '../../requests/reasons.ts';
import { classNameFor } from '../../requests/request-names.ts';
import type { RequestedChange } from '../../requests/requested-change.ts';

export interface RequestWorld extends World<'bucket' | 'ownClass', RequestReason> {
  readonly bucket?: Bucket | undefined;
  /** The class that an adoption names. */
  readonly namedClass?: BucketClass | undefined;
  /** The class for the adopted bucket alone, to be created or existing. */
  readonly ownClass?: BucketClass | undefined;
}

export async function read(cluster: Cluster, requested: RequestedChange): Promise<RequestWorld> {
  const readBucket = cluster.get(nameOf(resources.bucket, requested.namespace, requested.name));
  // A Bucket may be requested before its class exists: it reports that itself.
  if (requested.action !== 'adopt') return { bucket: await readBucket };
  const readClass = (name: Name) => cluster.get(nameOf(resources.bucketClass, undefined, name));
  const [bucket, namedClass, ownClass] = await Promise.all([
    readBucket,
    readClass(requested.bucketClass),
    readClass(classNameFor(requested.bucketClass, requested.bucket)),
  ]);
  return { bucket, namedClass, ownClass };
}
