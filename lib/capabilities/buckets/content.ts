import { resources } from '../../kubernetes/resources.ts';
import { contentNameOf, finalizer, labelsFor, prefixProblem, storeNameOf } from './names.ts';
import type { Bucket, BucketClass, BucketContent } from './objects.ts';

type Flow = BucketContent['spec']['flow'];

/** The specification's flow that a class defines; `problem` is one that the schema of classes refuses too. */
export function flowOf({ metadata, ...fields }: BucketClass): { flow: Flow } | { problem: string } {
  const { bucketIdentifier, secretRef, provisioner, releasePolicy = 'Retain' } = fields;
  const name = `BucketClass ${metadata.name}`;
  if (bucketIdentifier && secretRef) {
    return { problem: `${name} has both bucketIdentifier and secretRef: create a class that has only one of them` };
  }
  if (!secretRef && !provisioner) return { problem: `${name} has neither provisioner nor secretRef` };
  if (!bucketIdentifier && !secretRef) return { flow: 'Greenfield' };
  if (releasePolicy !== 'Retain') {
    return { problem: `${name} is for an existing bucket, so its releasePolicy must be Retain` };
  }
  return { flow: secretRef ? 'Static' : 'Brownfield' };
}

/** Why this Bucket can never be provisioned, in one sentence; undefined if it can. */
export function problemOf(bucket: Bucket, bucketClass: BucketClass): string | undefined {
  const found = flowOf(bucketClass);
  if ('problem' in found) return found.problem;
  return found.flow === 'Greenfield' ? prefixProblem(bucket.spec.bucketPrefix) : undefined;
}

/** Everything that provisioning and release need is copied from the class, which may be deleted by then. */
export function contentFor(bucket: Bucket, bucketClass: BucketClass, flow: Flow): BucketContent {
  const { apiVersion, kind } = resources.bucketContent;
  const { provisioner, accessMode, supportedProtocols, secretRef, parameters, releasePolicy = 'Retain' } = bucketClass;
  const { namespace = '', name, uid = '', resourceVersion = '' } = bucket.metadata;
  const bucketIdentifier = flow === 'Greenfield' ? storeNameOf(bucket) : bucketClass.bucketIdentifier;
  return {
    apiVersion,
    kind,
    metadata: {
      name: contentNameOf(bucket),
      finalizers: [finalizer],
      labels: labelsFor(flow === 'Static' ? undefined : provisioner),
    },
    spec: {
      flow,
      releasePolicy,
      bucketClassName: bucketClass.metadata.name,
      bucketRef: { namespace, name, uuid: uid, resourceVersion },
      ...(flow === 'Static' || !provisioner ? {} : { provisioner }),
      ...(accessMode ? { accessModes: [accessMode] } : {}),
      ...(supportedProtocols ? { supportedProtocols } : {}),
      ...(flow === 'Static' && secretRef ? { secretRef } : {}),
      ...(bucketIdentifier ? { bucketIdentifier } : {}),
      ...(parameters ? { parameters } : {}),
    },
  };
}

export function belongsTo(content: BucketContent | undefined, bucket: Bucket): content is BucketContent {
  return content !== undefined && content.spec.bucketRef.uuid === bucket.metadata.uid;
}

/**
 * True if a driver may have created anything for it: this is recorded before the first call to the store. Failures
 * before that leave nothing behind. The last of these fields is not part of the status, so backups contain it too.
 */
export function isTouched({ spec, status }: BucketContent): boolean {
  if (!spec.provisioner) return false;
  const isProvisioned = status?.phase === 'Ready' || status?.phase === 'Bound';
  return isProvisioned || status?.startedAt !== undefined || spec.secretRef !== undefined;
}

export function isHeld({ metadata }: Bucket | BucketContent): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

/** Other finalizers stay: they belong to others. */
export function withFinalizer({ metadata }: Bucket): string[] {
  return [...(metadata.finalizers ?? []), finalizer];
}

export function withoutFinalizer({ metadata }: Bucket | BucketContent): string[] {
  return (metadata.finalizers ?? []).filter((each) => each !== finalizer);
}
