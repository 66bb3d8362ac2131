import { displayName, type ObjectName } from '../../kubernetes/resources.ts';

/** When something was, as far as it is known: the cluster keeps most of its times in whole seconds. */
export interface Moment {
  ms: number;
  isExact: boolean;
}

/** In the order of cause and effect, for what is known to have been at one time. */
const sources = ['object', 'message', 'log', 'event', 'write', 'condition'] as const;
export type Source = (typeof sources)[number];

/** Something that has happened to an object. */
export interface Entry {
  at: Moment;
  source: Source;
  object: ObjectName;
  /** In words. */
  what: string;
  /** The same for programs. */
  details: Readonly<Record<string, string | number | boolean | undefined>>;
  /** It was somebody's answer to something, such as Longshore's or the cluster's, and not what began it. */
  isAnswer: boolean;
}

/** Undefined for what is no time. */
export function momentOf(text: string | null | undefined): Moment | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : { ms, isExact: (text ?? '').includes('.') };
}

/** As it is known: without the parts of a second that nobody has kept. */
export function textOf({ ms, isExact }: Moment): string {
  const text = new Date(ms).toISOString();
  return isExact ? text : text.replace(/\.\d+Z$/, 'Z');
}

export function nameOfObject({ resource, ...key }: ObjectName): string {
  return `${resource.kind} ${displayName(key)}`;
}

/**
 * Sorted by time, and nothing twice. Of what is known to the second only, that which others answer to is taken for the
 * beginning of that second, and an answer for its end: so neither stands before what has led to it. But nothing happens to
 * an object before it is made.
 */
export function inOrder(entries: readonly Entry[]): Entry[] {
  const byName = new Map(entries.map((entry) => [JSON.stringify([entry.at, entry.source, nameOf(entry)]), entry]));
  const unique = [...byName.values()];
  const exact = unique.filter(({ at }) => at.isExact).sort((one, other) => one.at.ms - other.at.ms);
  const placed = unique.map((entry) => ({ entry, place: placeOf(entry, exact) }));
  placed.sort(
    (one, other) =>
      one.place - other.place ||
      Number(one.entry.isAnswer) - Number(other.entry.isAnswer) ||
      sources.indexOf(one.entry.source) - sources.indexOf(other.entry.source),
  );
  return placed.map(({ entry }) => entry);
}

function nameOf({ object, what }: Entry): string {
  return `${nameOfObject(object)} ${what}`;
}

function placeOf({ at, isAnswer, source, object }: Entry, exact: readonly Entry[]): number {
  if (at.isExact || !isAnswer) return at.ms;
  const endMs = at.ms + 999;
  if (source !== 'object') return endMs;
  const name = nameOfObject(object);
  const first = exact.find((each) => each.at.ms >= at.ms && nameOfObject(each.object) === name);
  return first && first.at.ms <= endMs ? first.at.ms - 0.5 : endMs;
}
