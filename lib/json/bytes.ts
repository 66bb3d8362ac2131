/** The bytes that JSON is made of, and how to get past what is not read. */
export const codes = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

// What a module exports is looked up each time that it is used, which for each byte of a text takes a fifth of the time.
const { quote, backslash, openObject, closeObject } = codes;

/** Brackets and braces are each other's neighbours by this bit. */
const bracketBit = 0x20;

/** It never quotes what it was given: that may be secret, and errors are logged. */
export class DamagedJson extends Error {
  constructor(position: number) {
    super(`the JSON is truncated or damaged at byte ${position}: read it again from its source`);
  }
}

/** The position after a text, from its opening quote on. */
export function endOfText(bytes: Buffer, from: number, end: number): number {
  const at = closingQuote(bytes, from);
  if (at >= end) throw new DamagedJson(end);
  return at + 1;
}

/** It looks for quotes alone, and before each for backslashes. Without any it answers the end of all bytes, or one more. */
function closingQuote(bytes: Buffer, from: number): number {
  let at = from;
  do {
    at += 1;
    let byte = bytes[at];
    while (byte !== quote && byte !== undefined) {
      at += 1;
      byte = bytes[at];
    }
  } while (bytes[at - 1] === backslash && isEscaped(bytes, at));
  return at;
}

/** A backslash that is escaped itself escapes nothing. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at - 1;
  while (bytes[before] === backslash) before -= 1;
  return (at - before) % 2 === 0;
}

/** The position after an object or a list, from its opening on: by depth alone. */
export function endOfContainer(bytes: Buffer, from: number, end: number): number {
  let depth = 0;
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      at = closingQuote(bytes, at);
    } else if ((byte | bracketBit) === openObject) depth += 1;
    else if ((byte | bracketBit) === closeObject) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new DamagedJson(end);
}

/** The position of the next byte that is no white space. */
export function afterSpace(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace(bytes[at] as number)) at += 1;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The position after a number, true, false or null. */
export function endOfWord(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && isInWord(bytes[at] as number)) at += 1;
  return at;
}

function isInWord(byte: number): boolean {
  const isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
  return isLetter || (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2b || byte === 0x2e;
}

/** What stands for itself in a text: ASCII but for quotes, backslashes and what cannot be printed. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= 0x20 && byte < 0x7f && byte !== quote && byte !== backslash),
);

/** The position of a text's closing quote, from its opening one on, if there is nothing between that must be decoded. */
export function endOfPlain(bytes: Buffer, from: number, end: number): number | undefined {
  let at = from + 1;
  while (plain[bytes[at] as number] === 1) at += 1;
  return bytes[at] === quote && at < end ? at : undefined;
}
