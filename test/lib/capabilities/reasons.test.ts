import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { stages } from '../../../lib/capabilities/transfers/reasons.ts';
import { reasonLists } from '../../../tools/generate/reason-tables.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What stands in quotation marks in the sources, which the compiler has compared with the list. */
function quotedIn(folder: string): Set<string> {
  const sources = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('reasons.ts'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'));
  return new Set(sources.flatMap((source) => [...source.matchAll(/'([A-Z]\w+)'/g)].map(([, word = '']) => word)));
}

describe.each(Object.entries(reasonLists))('each reason of %s', (_, { reasons, folder }) => {
  test('means something, in a sentence', () => {
    const unclear = Object.entries(reasons).filter(([, { means }]) => !/^[A-Z].*\w.*\.$/.test(means));
    expect(unclear).toEqual([]);
  });

  test('is given somewhere', () => {
    // A stage that is reached is its own reason.
    const given = new Set([...quotedIn(folder), ...quotedIn('lib/reconcile'), ...Object.keys(stages)]);
    expect(Object.keys(reasons).filter((reason) => !given.has(reason))).toEqual([]);
  });
});
