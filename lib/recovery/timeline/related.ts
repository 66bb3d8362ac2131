import type { Bucket, BucketClass, BucketContent } from '../../capabilities/buckets/objects.ts';
import type {
  VolumeSnapshot,
  VolumeSnapshotContent,
  VolumeSnapshotLink,
} from '../../capabilities/data-sources/objects.ts';
import type { Claim, ClusterObject, Pod, TransferApproval, TransferRequest, Volume } from '../../kubernetes/objects.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { isLegalName, nameOf, type ObjectName, resourceOfKind, resources } from '../../kubernetes/resources.ts';
import { nameOfObject } from './entry.ts';
import { ofBucket, ofClass, ofContent } from './related-of-buckets.ts';
import { ofClaim, ofPod, ofSnapshot, ofSnapshotContent, ofSnapshotLink, ofVolume } from './related-of-storage.ts';
import type { Related } from './relation.ts';

/** What belongs with an object, one step from it: each once, in the order in which it matters. */
export function relatedTo(name: ObjectName, object: ClusterObject): ObjectName[] {
  const related = [...byKind(name.resource, object), ...ownersOf(object)];
  const names = related.flatMap(([resource, namespace, each]) =>
    isName(each) && (!resource.namespaced || isName(namespace)) ? [nameOf(resource, namespace, each)] : [],
  );
  const byName = new Map(names.map((each) => [nameOfObject(each), each]));
  byName.delete(nameOfObject(name));
  return [...byName.values()];
}

/** Users write names into specs and annotations, and these go into the paths of calls. */
function isName(text: string | undefined): text is string {
  return text !== undefined && isLegalName(text);
}

function byKind(resource: Resource, object: ClusterObject): Related[] {
  switch (resource) {
    case resources.transferRequest:
      return ofRequest(object as TransferRequest);
    case resources.transferApproval:
      return ofApproval(object as TransferApproval);
    case resources.claim:
      return ofClaim(object as Claim);
    case resources.volume:
      return ofVolume(object as Volume);
    case resources.pod:
      return ofPod(object as Pod);
    case resources.bucket:
      return ofBucket(object as Bucket);
    case resources.bucketContent:
      return ofContent(object as BucketContent);
    case resources.bucketClass:
      return ofClass(object as BucketClass);
    case resources.snapshot:
      return ofSnapshot(object as VolumeSnapshot);
    case resources.snapshotContent:
      return ofSnapshotContent(object as VolumeSnapshotContent);
    case resources.snapshotLink:
      return ofSnapshotLink(object as VolumeSnapshotLink);
    default:
      return [];
  }
}

function ofRequest({ metadata, spec, status }: TransferRequest): Related[] {
  return [
    [resources.transferApproval, spec.source.namespace, spec.approvalName],
    [resources.claim, spec.source.namespace, spec.source.name],
    [resources.volume, undefined, status?.volumeName],
    [resources.claim, metadata.namespace, spec.targetName],
  ];
}

function ofApproval({ metadata, spec }: TransferApproval): Related[] {
  return [
    [resources.transferRequest, spec.targetNamespace, spec.requestName],
    [resources.claim, metadata.namespace, spec.source.name],
  ];
}

/** An owner is in the namespace of what it owns, or has none. */
function ownersOf({ metadata }: ClusterObject): Related[] {
  return (metadata.ownerReferences ?? []).flatMap(({ apiVersion, kind, name }): Related[] => {
    const resource = resourceOfKind(apiVersion, kind);
    return resource ? [[resource, metadata.namespace, name]] : [];
  });
}
