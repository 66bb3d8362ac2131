import type { ClusterObject } from '../kubernetes/objects.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { nameOf, type ObjectName } from '../kubernetes/resources.ts';
import type { Measurement } from '../runtime/metrics.ts';
import { type Announcement, preconditionsOf, type WriteOf } from './step.ts';

/** The writes that a step may decide on, each of which the server refuses if the object has changed meanwhile. */

export interface WriteEffects<Reason extends string = string> {
  announce?: Announcement<Reason>[];
  measure?: Measurement[];
}

/** The target of a write: its part of the world, and its kind. */
export interface Part<Slot extends string, T extends ClusterObject> {
  slot: Slot;
  resource: Resource<T>;
}

/** A decision to write one part: it fits into every world that has such an object in that slot. */
export interface WriteDecision<Slot extends string, T extends ClusterObject, Reason extends string = never> {
  do: 'write';
  write: WriteOf<Slot, T, Reason>;
}

export function patch<Slot extends string, T extends ClusterObject, Reason extends string = never>(
  { slot, resource }: Part<Slot, T>,
  object: NoInfer<T>,
  body: object,
  effects: WriteEffects<Reason> = {},
): WriteDecision<Slot, T, Reason> {
  const preconditions = preconditionsOf(object);
  return {
    do: 'write',
    write: { verb: 'patch', slot, object: nameOfObject(resource, object), body, preconditions, ...effects },
  };
}

export function create<Slot extends string, T extends ClusterObject, Reason extends string = never>(
  { slot, resource }: Part<Slot, T>,
  body: NoInfer<T>,
  effects: WriteEffects<Reason> = {},
): WriteDecision<Slot, T, Reason> {
  return { do: 'write', write: { verb: 'create', slot, object: nameOfObject(resource, body), body, ...effects } };
}

export function remove<Slot extends string, T extends ClusterObject, Reason extends string = never>(
  { slot, resource }: Part<Slot, T>,
  object: NoInfer<T>,
  effects: WriteEffects<Reason> = {},
): WriteDecision<Slot, T, Reason> {
  const preconditions = preconditionsOf(object);
  return {
    do: 'write',
    write: { verb: 'delete', slot, object: nameOfObject(resource, object), preconditions, ...effects },
  };
}

/** An Event about normal progress. */
export function note<Reason extends string>(
  regarding: ClusterObject,
  reason: Reason,
  message: string,
): Announcement<Reason> {
  return { regarding, type: 'Normal', reason, message };
}

/** An Event that someone should look at. */
export function warn<Reason extends string>(
  regarding: ClusterObject,
  reason: Reason,
  message: string,
): Announcement<Reason> {
  return { regarding, type: 'Warning', reason, message };
}

export function nameOfObject<T extends ClusterObject>(resource: Resource<T>, { metadata }: NoInfer<T>): ObjectName<T> {
  return nameOf(resource, metadata.namespace, metadata.name);
}
