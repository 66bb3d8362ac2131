import fc from 'fast-check';
import type { Selection } from '../../../lib/json/selection.ts';
import { anyCharacter } from '../../support/any-character.ts';

/** Texts that are hard to read, and selections that hit them: few names, so that both often mean the same field. */

/**
 * None has a backslash in it: where JSON.parse of Node 24 (V8 13.6) has just met such a name, it takes the next `"\\""` for
 * it, and so cannot be compared with.
 */
export const names = fc.constantFrom(
  'a',
  'b',
  'ab',
  'spec',
  '',
  '*',
  '__proto__',
  'é',
  '"',
  '1',
  '{',
  'constructor',
  '\u2028',
);

const scalars = fc.oneof(
  fc.constantFrom('', 'a', '"', '\\', '\\"', '}', ']]', '{"a":', 'ü🚢', '\u0000', '\ud800', 'same', 'x'.repeat(80)),
  fc.string({ unit: anyCharacter }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(true, false, null),
);
const spaces = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r') }),
);
const ownNames = fc.string().map((name) => name.replaceAll('\\', ''));
const quoted = fc.oneof(names, ownNames).chain(spelled);

/** Any value as a text: with white space between its parts, escapes that need not be, and fields that come twice. */
export const jsonTexts: fc.Arbitrary<string> = fc.letrec<{
  text: string;
  list: string;
  object: string;
  scalar: string;
}>((tie) => ({
  text: fc
    .tuple(spaces, fc.oneof({ depthSize: 'medium' }, tie('scalar'), tie('object'), tie('list')), spaces)
    .map((parts) => parts.join('')),
  list: fc
    .tuple(spaces, fc.array(tie('text'), { maxLength: 4 }))
    .map(([space, items]) => `[${space}${items.join(',')}]`),
  object: fc
    .tuple(spaces, fc.array(fc.tuple(spaces, quoted, spaces, tie('text')), { maxLength: 5 }))
    .map(
      ([space, fields]) =>
        `{${space}${fields.map(([one, name, two, text]) => `${one}${name}${two}:${text}`).join(',')}}`,
    ),
  scalar: scalars.chain((value) => (typeof value === 'string' ? spelled(value) : fc.constant(JSON.stringify(value)))),
})).text;

/** A string in quotes, in which any character may be escaped. */
function spelled(value: string): fc.Arbitrary<string> {
  const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index));
  return fc.infiniteStream(fc.nat({ max: 3 })).map((choices) => {
    const isPlain = choices.next().value !== 0;
    if (isPlain) return JSON.stringify(value);
    const parts = units.map((unit) => {
      const isEscaped = choices.next().value === 0 || unit < 0x20 || unit === 0x22 || unit === 0x5c;
      // Half of a pair can only be escaped.
      return isEscaped || (unit >= 0xd800 && unit < 0xe000)
        ? `\\u${unit.toString(16).padStart(4, '0')}`
        : String.fromCharCode(unit);
    });
    return `"${parts.join('')}"`;
  });
}

export const selections: fc.Arbitrary<Selection> = fc.letrec<{ selection: Selection }>((tie) => ({
  selection: fc
    .array(fc.tuple(names, fc.oneof({ depthSize: 'small' }, fc.boolean(), tie('selection'))), { maxLength: 6 })
    .map((fields) => Object.fromEntries(fields) as Selection),
})).selection;

/** A copy of what was selected, without its guard against fields that were left out. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}
