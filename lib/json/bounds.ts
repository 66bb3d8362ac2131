import { codes } from './bytes.ts';

const { quote, comma, backslash, openObject, closeObject } = codes;
const bracketBit = 0x20;

/**
 * JSON of few bytes may become much in memory: `[],` becomes thirteen times as much. No object of a cluster has nearly as
 * many values as this, since etcd takes no object of more than 1.5 MiB.
 */
export const maxValues = 200_000;
/** As deep as nothing is that Longshore reads, and not too deep for what goes through a value by calling itself. */
export const maxDepth = 500;

/** It is JSON, but nobody should make values of it. */
export class TooManyValues extends Error {}

/** How many values stand between two positions of a JSON text, at least; more than there may be are thrown. */
export function countValues(bytes: Buffer, from: number, end: number): number {
  let count = 1;
  let depth = 0;
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte === quote) at = closingQuote(bytes, at, end);
    else if (byte === comma) count += 1;
    else if ((byte | bracketBit) === openObject) {
      count += 1;
      depth += 1;
      if (depth > maxDepth) throw new TooManyValues(`it is nested more than ${maxDepth} deep`);
    } else if ((byte | bracketBit) === closeObject) depth -= 1;
    if (count > maxValues) throw new TooManyValues(`it has more than ${maxValues} values`);
  }
  return count;
}

function closingQuote(bytes: Buffer, from: number, end: number): number {
  let at = from + 1;
  while (at < end && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
