import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { nameOf, type ObjectName, resourceOfKind } from '../../../lib/kubernetes/resources.ts';
import { snapshotClassResource } from '../kinds.ts';
import type { Action, Disk } from './rule.ts';

/** The actions that rules decide on, built from the few fields that differ. */

/** The object's own apiVersion and kind are trusted. */
export function nameOfObject<T extends ClusterObject>({ apiVersion, kind, metadata }: T): ObjectName<T> {
  const isClass = kind === snapshotClassResource.kind;
  const resource: Resource | undefined = isClass ? snapshotClassResource : resourceOfKind(apiVersion, kind);
  if (!resource) throw new Error(`unknown kind ${kind} of ${apiVersion}`);
  return nameOf(resource as Resource<T>, metadata.namespace, metadata.name);
}

export function create(body: ClusterObject): Action {
  return { type: 'create', name: nameOfObject(body), body };
}

export function change(of: ClusterObject, patch: object): Action {
  return { type: 'change', of, name: nameOfObject(of), patch };
}

export function changeStatus(of: ClusterObject, status: object): Action {
  return { type: 'change', of, name: nameOfObject(of), patch: { status }, subresource: 'status' };
}

export function remove(of: ClusterObject): Action {
  return { type: 'delete', of, name: nameOfObject(of) };
}

export function onDisk(driver: string, operation: (disk: Disk) => void): Action {
  return { type: 'disk', driver, operation };
}

export function noted(about: ClusterObject, by: string, reason: string, note: string): Action {
  return { type: 'event', about, kind: 'Normal', reason, note, by };
}

export function warned(about: ClusterObject, by: string, reason: string, note: string): Action {
  return { type: 'event', about, kind: 'Warning', reason, note, by };
}

export function holds({ metadata }: ClusterObject, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}

/** A list is replaced as a whole, so its other entries must be repeated. */
export function held(of: ClusterObject, ...added: string[]): Action {
  return change(of, { metadata: { finalizers: [...(of.metadata.finalizers ?? []), ...added] } });
}

export function letGo(of: ClusterObject, ...removed: string[]): Action {
  const finalizers = (of.metadata.finalizers ?? []).filter((finalizer) => !removed.includes(finalizer));
  return change(of, { metadata: { finalizers } });
}

export function annotated(of: ClusterObject, annotation: string, value: string | null): Action {
  return change(of, { metadata: { annotations: { [annotation]: value } } });
}
