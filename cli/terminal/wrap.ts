import { printable } from './printable.ts';

/**
 * A text as lines that fit, each indented, the first one perhaps in another way. A word that is too long has a line of its
 * own.
 */
export function wrapped(text: string, width: number, indent = '', first = indent): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of printable(text).split(' ')) {
    const longer = isEmpty ? `${line}${word}` : `${line} ${word}`;
    if (!isEmpty && longer.length > width) {
      lines.push(line);
      line = `${indent}${word}`;
    } else {
      line = longer;
    }
    isEmpty = false;
  }
  return [...lines, line];
}
