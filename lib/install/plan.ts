import type { CapabilityName } from '../capabilities/names.ts';
import type { Choices } from './choices.ts';
import { grantsDefinition } from './desired.ts';
import type { Difference } from './differences.ts';
import { type Feature, featuresOf } from './features.ts';
import type { AnyObject } from './installable.ts';
import { titleOf } from './kinds.ts';
import type { Server } from './server.ts';

/**
 * create     it is not there
 * change     it is ours, and differs
 * adopt      it is there, but was not installed by this command: its labels change, so that it is ours from now on
 * delete     it is ours, and nothing needs it any more
 * leave      it is there, and is not touched, for the reason in the note
 * unchanged  it is there as it should be
 */
export const actions = ['create', 'change', 'adopt', 'delete', 'leave', 'unchanged'] as const;
export type Action = (typeof actions)[number];

export interface PlanEntry {
  action: Action;
  /** As it should be; as it is, if it is deleted or left. */
  object: AnyObject;
  /** Of the object that was seen, for one that is deleted. */
  uid?: string;
  differences: readonly Difference[];
  /**
   * Others have set fields to what they are to be, and the server takes that for a conflict, because it compares before it
   * fills in defaults. The fields are taken over from the version that was seen, and from no other.
   */
  takenOverFrom?: string;
  note?: string;
}

export interface Plan {
  /** In the order in which they are carried out. */
  entries: readonly PlanEntry[];
  choices: Choices;
  server: Server;
  features: readonly Feature[];
  /** What the administrator should know before. */
  notes: readonly string[];
  /** The capabilities that were installed and are to be left out. */
  dropped: readonly CapabilityName[];
}

export function changesOf({ entries }: Pick<Plan, 'entries'>): PlanEntry[] {
  return entries.filter(({ action }) => action !== 'unchanged' && action !== 'leave');
}

export interface Conflict {
  title: string;
  path: string;
  /** Empty for an object that somebody else has made, as a whole. */
  owners: readonly string[];
}

const labels = 'metadata.labels.app.kubernetes.io/';

/** What somebody else has set otherwise, and what is in an object that is not ours: neither is changed unasked. */
export function conflictsOf({ entries }: Pick<Plan, 'entries'>): Conflict[] {
  return entries.flatMap(({ action, object, differences }) =>
    differences
      .filter(({ path, owners }) => owners.length > 0 || (action === 'adopt' && !isOwnMark(path)))
      .map(({ path, owners }) => ({ title: titleOf(object), path, owners })),
  );
}

/** What every object gets when it becomes ours, and nobody else gives it. */
function isOwnMark(path: string): boolean {
  return path.startsWith(labels) || path === 'metadata.labels' || path.startsWith('metadata.annotations');
}

export function planOf(parts: Omit<Plan, 'features'>): Plan {
  const { entries, choices, server } = parts;
  const installsGrants = entries.some(({ action, object }) => {
    return action === 'create' && object.metadata.name === grantsDefinition;
  });
  return { ...parts, features: featuresOf(server, choices, installsGrants) };
}
