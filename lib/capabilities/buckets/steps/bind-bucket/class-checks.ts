import type { Namespace } from '../../../../kubernetes/objects.ts';
import { reject, waitFor } from '../../../../reconcile/obstacle.ts';
import { flowOf, problemOf } from '../../content.ts';
import {
  appliesTo,
  appliesToPresent,
  howToConfirm,
  isForOneNamespace,
  namespacesAnnotation,
} from '../../namespaces.ts';
import type { Bucket, BucketClass, BucketContent } from '../../objects.ts';
import type { BucketObstacle } from '../../reasons.ts';

interface UsableClass {
  bucketClass: BucketClass;
  flow: BucketContent['spec']['flow'];
}

/** The class of a Bucket, or the reason why a Bucket cannot be provisioned with it. */
export function usableClass(
  bucketClass: BucketClass | undefined,
  bucket: Bucket,
  namespace: Namespace | undefined,
): UsableClass | BucketObstacle {
  const className = bucket.spec.bucketClassName;
  if (!bucketClass) {
    const message = `there is no BucketClass ${className} (yet): kubectl get bucketclasses lists the existing ones`;
    return waitFor('ClassNotFound', message);
  }
  const found = flowOf(bucketClass);
  const problem = problemOf(bucket, bucketClass);
  if (problem || 'problem' in found) return reject('Invalid', problem ?? '');
  if (!appliesTo(bucketClass, bucket)) {
    const message = `BucketClass ${className} is not for namespace ${bucket.metadata.namespace}: its annotation ${namespacesAnnotation} lists the namespaces that can use it`;
    return reject('ClassNotForNamespace', message);
  }
  if (isForOneNamespace(bucketClass, bucket) && !appliesToPresent(bucketClass, namespace)) {
    const how = namespace ? howToConfirm(namespace) : 'that namespace does not exist';
    return reject('ClassNotForNamespace', `BucketClass ${className} names ${bucket.metadata.namespace}: ${how}`);
  }
  return { bucketClass, flow: found.flow };
}
