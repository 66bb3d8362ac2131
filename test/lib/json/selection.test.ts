import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mergeSelections, NotSelected, type Selection, select } from '../../../lib/json/selection.ts';
import { plain, selections } from './adversarial.ts';

const claim = {
  kind: 'Claim',
  metadata: { name: 'data', labels: { app: 'web' }, managedFields: [{ manager: 'kubectl' }] },
  spec: { size: 1, source: null },
};

describe('a selection', () => {
  test.each<[string, Selection, unknown]>([
    [
      'keeps what it lists, and nothing else',
      { kind: true, spec: { size: true } },
      { kind: 'Claim', spec: { size: 1 } },
    ],
    ['keeps nothing when it lists nothing', {}, {}],
    ['lists what is not there without making it', { status: true, spec: { class: true } }, { spec: {} }],
    ['keeps all but what it leaves out', { '*': true, metadata: false, spec: false }, { kind: 'Claim' }],
    [
      'looks into all that it does not list',
      { '*': { name: true, size: true }, kind: false },
      { metadata: { name: 'data' }, spec: { size: 1 } },
    ],
    [
      'keeps what has no fields, wherever it looks into it',
      { kind: {}, spec: { '*': {} } },
      { kind: 'Claim', spec: { size: 1, source: null } },
    ],
  ])('%s', (_, selection, kept) => {
    expect(plain(select(claim, selection))).toStrictEqual(kept);
  });

  test('looks into each item of a list, and of the lists in it', () => {
    const lists = [{ a: 1, b: 2 }, 'text', null, [{ a: 3, b: 4 }, []]];
    expect(plain(select(lists, { a: true }))).toStrictEqual([{ a: 1 }, 'text', null, [{ a: 3 }, []]]);
  });

  test('takes a field called __proto__ for a field', () => {
    const value = JSON.parse('{"__proto__": {"a": 1, "b": 2}, "constructor": 3}');
    const kept = select(value, JSON.parse('{"__proto__": {"a": true}}'));
    expect(JSON.stringify(kept)).toBe('{"__proto__":{"a":1}}');
    expect(JSON.stringify(select(value, {}))).toBe('{}');
    expect(() => (kept as { a?: unknown }).a).toThrow(NotSelected);
  });
});

describe('a field that was left out', () => {
  const read = (selection: Selection) => select(claim, selection) as typeof claim & Record<string, unknown>;

  test('is an error for whoever reads it, which names it', () => {
    const { metadata, ...kept } = { ...read({ kind: true, metadata: { name: true, '*': false } }) };
    expect(kept).toEqual({ kind: 'Claim' });
    expect(() => metadata.labels).toThrow(
      new NotSelected('metadata.labels was not selected: whoever reads it has to say so'),
    );
    expect(() => read({}).spec.size).toThrow(NotSelected);
    expect(() => read({ '*': true, metadata: { '*': true, labels: false } }).metadata.labels).toThrow(NotSelected);
    expect(() => (read({ '*': { size: true } }).spec as Record<string, unknown>).source).toThrow(NotSelected);
  });

  test('is an error as well where it was not there', () => {
    expect(() => read({ kind: true }).status).toThrow(NotSelected);
  });

  test('is nothing like one that was selected and is not there', () => {
    expect(read({ status: true }).status).toBe(undefined);
    expect(read({ '*': true }).status).toBe(undefined);
    expect(
      (read({ metadata: { '*': {}, labels: { app: true, tier: true } } }).metadata.labels as { tier?: string }).tier,
    ).toBe(undefined);
  });

  test('is no trouble for what the language asks of all objects', async () => {
    const found = read({ kind: true });
    expect(await Promise.resolve(found)).toBe(found);
    expect([JSON.stringify(found), `${found}`, Object.keys(found)]).toEqual([
      '{"kind":"Claim"}',
      '[object Object]',
      ['kind'],
    ]);
  });
});

describe('two selections that are merged', () => {
  const keeps = (selection: Selection, path: readonly string[]): boolean => {
    const value = path.reduceRight<unknown>((inner, field) => Object.fromEntries([[field, inner]]), 'found');
    return JSON.stringify(select(value, selection)).includes('found');
  };
  const paths = fc.array(fc.constantFrom('a', 'b', 'ab', 'spec', '', '__proto__', 'é', '1', 'other'), {
    minLength: 1,
    maxLength: 4,
  });

  test('keep what one of the two keeps, and nothing else', () => {
    fc.assert(
      fc.property(selections, selections, paths, (one, other, path) => {
        expect(keeps(mergeSelections(one, other), path)).toBe(keeps(one, path) || keeps(other, path));
      }),
      { numRuns: 2000 },
    );
  });

  test('keep a field that one of them leaves out of all that it keeps', () => {
    const merged = mergeSelections({ '*': true, a: false }, { a: { b: true } });
    expect(select({ a: { b: 1, c: 2 }, d: 3 }, merged)).toEqual({ a: { b: 1 }, d: 3 });
  });
});
