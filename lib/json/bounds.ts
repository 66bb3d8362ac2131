const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
/** Brackets and braces differ only in this bit. */
const bracketBit = 0x20;
const [opening, closing] = [0x7b, 0x7d];

/**
 * JSON of few bytes may become large in memory: `[],` grows by a factor of thirteen. No object of a cluster has nearly
 * this many values, since etcd accepts no object of more than 1.5 MiB.
 */
export const maxValues = 200_000;
/** Deeper than anything that Longshore reads, and not too deep for recursive functions. */
export const maxDepth = 500;

/** It is JSON, but with too many values to be parsed. */
export class TooManyValues extends Error {}

/**
 * A lower limit for the number of values between two positions of a JSON document. Throws if there are more than
 * allowed.
 */
export function countValues(bytes: Buffer, from: number, end: number): number {
  let count = 1;
  let depth = 0;
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte === quote) at = closingQuote(bytes, at, end);
    else if (byte === comma) count += 1;
    else if ((byte | bracketBit) === opening) {
      count += 1;
      depth += 1;
      if (depth > maxDepth) throw tooDeep();
    } else if ((byte | bracketBit) === closing) depth -= 1;
    if (count > maxValues) throw tooMany();
  }
  return count;
}

/** Like `countValues`, for a parsed value. */
export function requireFew(value: unknown): void {
  let level = [value];
  for (let [count, depth] = [1, 0]; level.length > 0; depth += 1) {
    if (depth > maxDepth) throw tooDeep();
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    count += level.length;
    if (count > maxValues) throw tooMany();
  }
}

export function tooDeep(): TooManyValues {
  return new TooManyValues(`it is nested more than ${maxDepth} deep`);
}

function tooMany(): TooManyValues {
  return new TooManyValues(`it has more than ${maxValues} values`);
}

/** The change of the depth at a byte that is not part of a string. */
export function step(byte: number): -1 | 0 | 1 {
  if ((byte | bracketBit) === opening) return 1;
  return (byte | bracketBit) === closing ? -1 : 0;
}

/** The position of the quote that ends a string, given its first one; the end or later if there is none. */
export function closingQuote(bytes: Buffer, from: number, end: number): number {
  let at = from + 1;
  while (at < end && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
