import fc, { type Arbitrary } from 'fast-check';

/** Halves of characters, which are none by themselves. */
const surrogates = { first: 0xd800, count: 0x800 };
const last = 0x10ffff;

/**
 * Any character of Unicode, as the unit of texts. It gives what fast-check's own unit `binary` gives, but that one begins
 * with a table of all of them, which takes half a second in each process and each test file.
 */
export const anyCharacter: Arbitrary<string> = fc.nat(last - surrogates.count).map(characterAt, indexOf);

function characterAt(index: number): string {
  return String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count);
}

/** Throws for what is not one character: so fast-check learns which texts can be made of this unit. */
function indexOf(text: unknown): number {
  const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (code === undefined || text !== String.fromCodePoint(code)) throw new Error('this is not one character');
  if (code < surrogates.first) return code;
  if (code < surrogates.first + surrogates.count) throw new Error('this is half a character');
  return code - surrogates.count;
}
