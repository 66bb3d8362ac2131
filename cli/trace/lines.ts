import { type Entry, formatTimestamp, nameOfObject } from '../../lib/recovery/timeline/timeline-entry.ts';
import { printable } from '../terminal/printable.ts';
import { wrapped } from '../terminal/wrap.ts';
import { foldRepeats } from './repeats.ts';

/** Of a time with milliseconds; a time in whole seconds is padded. */
const timeWidth = 24;

/** One line per entry, repeats folded: time, source, object, and what happened. What is too long goes on below. */
export function linesOf(all: readonly Entry[], width = Number.POSITIVE_INFINITY): string[] {
  const entries = foldRepeats(all);
  const [sourceWidth, objectWidth] = [
    widest(entries.map(({ source }) => source)),
    widest(entries.map(({ object }) => nameOfObject(object))),
  ];
  return entries.flatMap(({ at, source, object, what }) => {
    const time = formatTimestamp(at);
    const cells = [time.padEnd(timeWidth), source.padEnd(sourceWidth), nameOfObject(object).padEnd(objectWidth)];
    const line = [...cells, printable(what).trim()].join('  ');
    if (line.length <= width) return [line];
    return wrapped(`${source} ${nameOfObject(object)} ${what}`.trim(), width, '    ', `${time}  `);
  });
}

/** An entry for programs. */
export function documentOf({ at, source, object, what, details }: Entry) {
  const { resource, namespace, name } = object;
  const place = namespace === undefined ? { name } : { namespace, name };
  return { time: formatTimestamp(at), source, kind: resource.kind, ...place, what, details };
}

function widest(texts: readonly string[]): number {
  // Not as arguments of one call: some hundred thousand of them overflow the stack.
  return texts.reduce((width, { length }) => Math.max(width, length), 0);
}
