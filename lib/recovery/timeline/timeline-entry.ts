import { displayName, type ObjectName } from '../../kubernetes/resources.ts';

/** A time, as exact as it is known: the cluster keeps most times in whole seconds. */
export interface Timestamp {
  ms: number;
  isExact: boolean;
}

/** In the order of cause and effect, for entries of the same time. */
const sources = ['object', 'message', 'log', 'event', 'write', 'condition'] as const;
export type Source = (typeof sources)[number];

/** Something that happened to an object. */
export interface Entry {
  at: Timestamp;
  source: Source;
  object: ObjectName;
  /** For people. */
  what: string;
  /** For programs. */
  details: Readonly<Record<string, string | number | boolean | undefined>>;
  /** It was a reaction to something, such as Longshore's or the cluster's, not its cause. */
  isReaction: boolean;
}

/** Undefined if the string is not a time. */
export function timestampFrom(text: string | null | undefined): Timestamp | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : { ms, isExact: (text ?? '').includes('.') };
}

/** Without the fraction of a second if it is not known. */
export function formatTimestamp({ ms, isExact }: Timestamp): string {
  const text = new Date(ms).toISOString();
  return isExact ? text : text.replace(/\.\d+Z$/, 'Z');
}

export function nameOfObject({ resource, ...key }: ObjectName): string {
  return `${resource.kind} ${displayName(key)}`;
}

/**
 * Sorted by time, without duplicates. Where only the second is known, a cause is placed at the beginning of that second, and
 * a reaction at its end, so that neither comes before what led to it. But nothing happens to an object before its creation.
 */
export function sortedByTime(entries: readonly Entry[]): Entry[] {
  const byName = new Map(entries.map((entry) => [JSON.stringify([entry.at, entry.source, nameOf(entry)]), entry]));
  const unique = [...byName.values()];
  const exact = unique.filter(({ at }) => at.isExact).sort((one, other) => one.at.ms - other.at.ms);
  const placed = unique.map((entry) => ({ entry, place: sortTimeOf(entry, exact) }));
  placed.sort(
    (one, other) =>
      one.place - other.place ||
      Number(one.entry.isReaction) - Number(other.entry.isReaction) ||
      sources.indexOf(one.entry.source) - sources.indexOf(other.entry.source),
  );
  return placed.map(({ entry }) => entry);
}

function nameOf({ object, what }: Entry): string {
  return `${nameOfObject(object)} ${what}`;
}

function sortTimeOf({ at, isReaction, source, object }: Entry, exact: readonly Entry[]): number {
  if (at.isExact || !isReaction) return at.ms;
  const endMs = at.ms + 999;
  if (source !== 'object') return endMs;
  const name = nameOfObject(object);
  const first = exact.find((each) => each.at.ms >= at.ms && nameOfObject(each.object) === name);
  return first && first.at.ms <= endMs ? first.at.ms - 0.5 : endMs;
}
