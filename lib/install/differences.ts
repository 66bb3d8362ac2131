import type { AnyObject } from './installable.ts';

/** One field that would change. */
export interface Difference {
  /** As in `metadata.labels.app`. */
  path: string;
  before: unknown;
  after: unknown;
  /** Who else has set the field, by the names of their field managers. */
  owners: readonly string[];
}

interface ManagedFields {
  manager?: string;
  subresource?: string;
  fieldsV1?: Record<string, unknown>;
}

/** The server writes these, and nobody else. */
const serversOwn = ['metadata.managedFields', 'metadata.resourceVersion', 'metadata.generation', 'status'];

/** The fields that differ, each with those who own it besides us. A list is compared as a whole. */
export function differencesOf(before: AnyObject, after: AnyObject, ourManager: string): Difference[] {
  const managers = (before.metadata.managedFields ?? []) as readonly ManagedFields[];
  const others = managers.filter(({ manager, subresource }) => manager !== ourManager && !subresource);
  return fieldsThatDiffer([], before, after).map((difference) => ({
    path: difference.path.join('.'),
    before: difference.before,
    after: difference.after,
    owners: [...new Set(others.filter((each) => isOwner(each, difference.path)).map(({ manager = '' }) => manager))],
  }));
}

interface Differing {
  path: readonly string[];
  before: unknown;
  after: unknown;
}

function fieldsThatDiffer(path: readonly string[], before: unknown, after: unknown): Differing[] {
  if (serversOwn.includes(path.join('.')) || isSame(before, after)) return [];
  if (!isFields(before) || !isFields(after)) return [{ path, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => fieldsThatDiffer([...path, name], before[name], after[name]));
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isSame(each, other[index]));
  }
  if (!isFields(one) || !isFields(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSame(one[name], other[name]));
}

/** A manager owns a field that it has set, and one in which it has set anything. */
function isOwner({ fieldsV1 }: ManagedFields, path: readonly string[]): boolean {
  let fields: unknown = fieldsV1;
  for (const name of path) {
    if (!isFields(fields)) return false;
    // Nothing is said of what is below: the field is owned as a whole.
    if (Object.keys(fields).length === 0) return true;
    fields = fields[`f:${name}`];
  }
  return fields !== undefined;
}
