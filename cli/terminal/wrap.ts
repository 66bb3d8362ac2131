import { printable } from './printable.ts';

/** How wide lines may be: on a terminal as wide as it is, and in a pipe as long as they are. */
export function lineWidth(stream: { isTTY?: boolean; columns?: number }): number {
  return stream.isTTY ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY;
}

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
