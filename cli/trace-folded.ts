import { type Entry, nameOfObject, textOf } from '../lib/recovery/timeline/entry.ts';

/**
 * What is told again and again, such as each minute to make sure of it, is one line for as long as nothing else happens:
 * a day of it would hide what matters. Each is told by its first one, with how many there are and until when.
 */
export function folded(entries: readonly Entry[]): Entry[] {
  const result: Entry[] = [];
  let stretch = new Map<string, Entry[]>();
  const end = () => {
    for (const alike of stretch.values()) result.push(oneOf(alike));
    stretch = new Map();
  };
  for (const entry of entries) {
    if (isToldAgain(entry)) {
      const { function: name, cause } = entry.details;
      const key = `${nameOfObject(entry.object)} ${cause} ${name}`;
      const alike = stretch.get(key);
      if (alike) alike.push(entry);
      else stretch.set(key, [entry]);
    } else {
      end();
      result.push(entry);
    }
  }
  end();
  return result;
}

function isToldAgain({ source, details }: Entry): boolean {
  return source === 'message' && details.runId !== undefined;
}

function oneOf(alike: readonly Entry[]): Entry {
  const [first, last] = [alike[0] as Entry, alike.at(-1) as Entry];
  if (alike.length === 1) return first;
  return { ...first, what: `${first.what}; and ${alike.length - 1} more like it, until ${textOf(last.at)}` };
}
