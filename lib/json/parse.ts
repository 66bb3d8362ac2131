import { countValues, requireFew, TooManyValues } from './bounds.ts';
import { type Selection, selector } from './selection.ts';

/** It never quotes what it was given: that may be secret, and errors are logged. */
export class DamagedJson extends Error {
  constructor() {
    super('the JSON is truncated or damaged: read it again from its source');
  }
}

/** Reads what is selected from the JSON text that stands between two positions of some bytes. */
export type Read = (bytes: Buffer, start: number, end: number) => unknown;

/**
 * Whoever may write an object can give it as many labels as they like, which is for nobody else to suffer from: so what is
 * bounded is what is kept. What is left out is garbage at once, of no more than the bytes of one answer can become.
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

/** What may become much more in memory than it is in bytes is not made values of. */
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
