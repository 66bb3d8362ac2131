import { type Entry, nameOfObject, textOf } from '../lib/recovery/timeline/entry.ts';
import { printable, printableJson } from './printable.ts';
import { folded } from './trace-folded.ts';

/** With milliseconds; what is known to the second only is as wide. */
const timeWidth = 24;

/** A line an entry, but for what is told again and again: when, whence it is known, of which object, and what. */
export function linesOf(all: readonly Entry[]): string[] {
  const entries = folded(all);
  const [sourceWidth, objectWidth] = [
    widest(entries.map(({ source }) => source)),
    widest(entries.map(({ object }) => nameOfObject(object))),
  ];
  return entries.map(({ at, source, object, what }) =>
    [
      textOf(at).padEnd(timeWidth),
      source.padEnd(sourceWidth),
      nameOfObject(object).padEnd(objectWidth),
      printable(what).trim(),
    ].join('  '),
  );
}

export function jsonOf({ at, source, object, what, details }: Entry): string {
  const { resource, namespace, name } = object;
  return printableJson({ time: textOf(at), source, kind: resource.kind, namespace, name, what, details });
}

function widest(texts: readonly string[]): number {
  // Not as arguments of one call: a process has no room for some hundred thousand of them.
  return texts.reduce((width, { length }) => Math.max(width, length), 0);
}
