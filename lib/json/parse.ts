import { countValues, requireFew, TooManyValues } from './bounds.ts';
import { type Selection, selector } from './selection.ts';

/** The message never quotes the input, which may be secret: errors are logged. */
export class DamagedJson extends Error {
  constructor() {
    super('the JSON is truncated or damaged: read it again from its source');
  }
}

/** Reads the selected fields from the JSON between two positions of the bytes. */
export type Read = (bytes: Buffer, start: number, end: number) => unknown;

/**
 * Anyone who may write an object can give it any number of labels, which must not harm others: so the limit is on what
 * is kept. Anything else is garbage at once, and no more than the bytes of one response can become.
 */
export function reading(selection: Selection): Read {
  const select = selector(selection);
  return (bytes, start, end) => {
    const isMany = hasMany(bytes, start, end);
    const kept = select(parsed(bytes, start, end));
    if (isMany) requireFew(kept);
    return kept;
  };
}

/** JSON that could become much larger in memory is not parsed. */
export function parse(bytes: Buffer, start: number, end: number): unknown {
  countValues(bytes, start, end);
  return parsed(bytes, start, end);
}

function parsed(bytes: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', start, end));
  } catch {
    throw new DamagedJson();
  }
}

function hasMany(bytes: Buffer, start: number, end: number): boolean {
  try {
    countValues(bytes, start, end);
    return false;
  } catch (error) {
    if (error instanceof TooManyValues) return true;
    throw error;
  }
}
