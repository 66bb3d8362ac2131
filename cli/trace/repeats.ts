import { type Entry, formatTimestamp, nameOfObject } from '../../lib/recovery/timeline/timeline-entry.ts';

/**
 * Folds repeated messages, such as those of each minute's slow lane, into one line while nothing else happens: a day of them
 * would hide what matters. The first one is shown, with the number of the others and the time of the last.
 */
export function foldRepeats(entries: readonly Entry[]): Entry[] {
  const result: Entry[] = [];
  let repeats = new Map<string, Entry[]>();
  const flush = () => {
    for (const same of repeats.values()) result.push(mergedFrom(same));
    repeats = new Map();
  };
  for (const entry of entries) {
    if (isRepeatable(entry)) {
      const { function: name, cause } = entry.details;
      const key = `${nameOfObject(entry.object)} ${cause} ${name}`;
      const same = repeats.get(key);
      if (same) same.push(entry);
      else repeats.set(key, [entry]);
    } else {
      flush();
      result.push(entry);
    }
  }
  flush();
  return result;
}

function isRepeatable({ source, details }: Entry): boolean {
  return source === 'message' && details.runId !== undefined;
}

function mergedFrom(same: readonly Entry[]): Entry {
  const [first, last] = [same[0] as Entry, same.at(-1) as Entry];
  if (same.length === 1) return first;
  return { ...first, what: `${first.what}; and ${same.length - 1} more like it, until ${formatTimestamp(last.at)}` };
}
