import { contentNameOf, sourceSecretNameOf, systemNamespace } from '../../capabilities/buckets/names.ts';
import type { Bucket, BucketClass, BucketContent } from '../../capabilities/buckets/objects.ts';
import { resources } from '../../kubernetes/resources.ts';
import type { Related } from './relation.ts';

export function ofBucket(bucket: Bucket): Related[] {
  const { metadata, spec, status } = bucket;
  return [
    [resources.bucketContent, undefined, status?.bucketContentName ?? contentNameOf(bucket)],
    [resources.secret, metadata.namespace, spec.secretName],
    [resources.bucketClass, undefined, spec.bucketClassName],
  ];
}

export function ofContent(content: BucketContent): Related[] {
  const { bucketRef, secretRef, bucketClassName, provisioner } = content.spec;
  return [
    [resources.bucket, bucketRef.namespace, bucketRef.name],
    [resources.secret, secretRef?.namespace, secretRef?.name],
    [resources.secret, systemNamespace, sourceSecretNameOf(content)],
    [resources.bucketClass, undefined, bucketClassName],
    [resources.registration, undefined, provisioner],
  ];
}

export function ofClass({ provisioner, secretRef }: BucketClass): Related[] {
  return [
    [resources.registration, undefined, provisioner],
    [resources.secret, secretRef?.namespace, secretRef?.name],
  ];
}
