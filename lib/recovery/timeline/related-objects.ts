import type { ClusterObject, TransferApproval, TransferRequest } from '../../kubernetes/objects.ts';
import { isOf, type OfKind } from '../../kubernetes/of-kind.ts';
import { isLegalName, nameOf, type ObjectName, resourceOfKind, resources } from '../../kubernetes/resources.ts';
import { ofBucket, ofClass, ofContent } from './related-of-buckets.ts';
import { ofClaim, ofPod, ofSnapshot, ofSnapshotContent, ofSnapshotLink, ofVolume } from './related-of-storage.ts';
import type { Related } from './relation.ts';
import { nameOfObject } from './timeline-entry.ts';

/** The objects directly related to an object: each once, most important first. */
export function relatedTo(name: ObjectName, object: ClusterObject): ObjectName[] {
  const related = [...byKind({ resource: name.resource, object }), ...ownersOf(object)];
  const names = related.flatMap(([resource, namespace, each]) =>
    isName(each) && (!resource.namespaced || isName(namespace)) ? [nameOf(resource, namespace, each)] : [],
  );
  const byName = new Map(names.map((each) => [nameOfObject(each), each]));
  byName.delete(nameOfObject(name));
  return [...byName.values()];
}

/** Users write names into specs and annotations, and these become part of request paths. */
function isName(text: string | undefined): text is string {
  return text !== undefined && isLegalName(text);
}

function byKind(of: OfKind): Related[] {
  if (isOf(of, resources.transferRequest)) return ofRequest(of.object);
  if (isOf(of, resources.transferApproval)) return ofApproval(of.object);
  if (isOf(of, resources.claim)) return ofClaim(of.object);
  if (isOf(of, resources.volume)) return ofVolume(of.object);
  if (isOf(of, resources.pod)) return ofPod(of.object);
  if (isOf(of, resources.bucket)) return ofBucket(of.object);
  if (isOf(of, resources.bucketContent)) return ofContent(of.object);
  if (isOf(of, resources.bucketClass)) return ofClass(of.object);
  if (isOf(of, resources.snapshot)) return ofSnapshot(of.object);
  if (isOf(of, resources.snapshotContent)) return ofSnapshotContent(of.object);
  if (isOf(of, resources.snapshotLink)) return ofSnapshotLink(of.object);
  return [];
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

/** An owner is in the namespace of the object that it owns, or has none. */
function ownersOf({ metadata }: ClusterObject): Related[] {
  return (metadata.ownerReferences ?? []).flatMap(({ apiVersion, kind, name }): Related[] => {
    const resource = resourceOfKind(apiVersion, kind);
    return resource ? [[resource, metadata.namespace, name]] : [];
  });
}
