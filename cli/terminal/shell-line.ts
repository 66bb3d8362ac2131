import { printable } from './printable.ts';

/** What a shell takes as it is, wherever it stands in a line. */
const plain = /^[A-Za-z0-9_./,-][A-Za-z0-9_./,:-]*$/;

/**
 * A command line for people to copy. Its words may be names that others gave: a shell takes each of them as one word,
 * whatever is in it.
 */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

function shellWord(word: string): string {
  if (plain.test(word)) return word;
  // What would move a cursor cannot be shown as it is. No name that a cluster accepts has such characters.
  return `'${printable(word).replaceAll("'", "'\\''")}'`;
}
