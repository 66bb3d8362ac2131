import type { ClusterObject } from '../kubernetes/objects.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { nameOf, type ObjectName } from '../kubernetes/resources.ts';
import { type Announcement, type Decision, preconditionsOf, type Write } from './step.ts';

/** The writes that a step may decide on, each made so that the server refuses it when the object has changed meanwhile. */

export type Telling = Pick<Write, 'announce' | 'measure'>;

/** What is written to: the part of the world that it plays, and its kind. */
export interface Part {
  slot: string;
  resource: Resource;
}

export function patch({ slot, resource }: Part, object: ClusterObject, body: object, telling: Telling = {}): Decision {
  const preconditions = preconditionsOf(object);
  return {
    do: 'write',
    write: { verb: 'patch', slot, object: nameOfObject(resource, object), body, preconditions, ...telling },
  };
}

export function patchStatus(part: Part, object: ClusterObject, status: object, telling: Telling = {}): Decision {
  const preconditions = preconditionsOf(object);
  const { slot, resource } = part;
  const name = nameOfObject(resource, object);
  return {
    do: 'write',
    write: { verb: 'patch', slot, object: name, body: { status }, preconditions, subresource: 'status', ...telling },
  };
}

export function create({ slot, resource }: Part, body: ClusterObject, telling: Telling = {}): Decision {
  return { do: 'write', write: { verb: 'create', slot, object: nameOfObject(resource, body), body, ...telling } };
}

export function remove({ slot, resource }: Part, object: ClusterObject, telling: Telling = {}): Decision {
  const preconditions = preconditionsOf(object);
  return {
    do: 'write',
    write: { verb: 'delete', slot, object: nameOfObject(resource, object), preconditions, ...telling },
  };
}

/** An Event of the ordinary course of things. */
export function note(regarding: ClusterObject, reason: string, message: string): Announcement {
  return { regarding, type: 'Normal', reason, message };
}

/** An Event about what somebody has to look at. */
export function warn(regarding: ClusterObject, reason: string, message: string): Announcement {
  return { regarding, type: 'Warning', reason, message };
}

function nameOfObject(resource: Resource, { metadata }: ClusterObject): ObjectName {
  return nameOf(resource, metadata.namespace, metadata.name);
}
