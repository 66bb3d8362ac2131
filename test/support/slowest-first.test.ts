import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Test } from 'jest-runner';
import SlowestFirst from './slowest-first.ts';

const root = new URL('../../', import.meta.url);
const recorded = JSON.parse(readFileSync(new URL('./durations.json', import.meta.url), 'utf8')) as Record<
  string,
  number
>;

type Cache = Record<string, [0 | 1, number] | undefined>;

class WithCache extends SlowestFirst {
  private readonly cache: Cache;
  constructor(cache: Cache) {
    super({ contexts: [], globalConfig: {} } as never);
    this.cache = cache;
  }
  override _getCache() {
    return this.cache;
  }
}

const rootDir = '/any';
const testAt = (path: string, name: string) =>
  ({ path: `${rootDir}/${path}`, context: { config: { rootDir, displayName: { name } } } }) as unknown as Test;
const order = (cache: Cache, ...tests: Test[]) =>
  new WithCache(cache).sort(tests).map(({ path }) => path.slice(rootDir.length + 1));

test('files whose duration is recorded exist', () => {
  expect(Object.keys(recorded).filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  expect(Object.keys(recorded).length).toBeGreaterThan(5);
});

test('what takes longest begins first: as remembered, else as recorded, else as its project does', () => {
  const [slowest = '', seconds = 0] = Object.entries(recorded).sort(([, one], [, other]) => other - one)[0] ?? [];
  const tests = [testAt('a.test.ts', 'unit'), testAt('b.test.ts', 'cluster'), testAt(slowest, 'unit')];
  expect(order({}, ...tests)).toEqual([slowest, 'b.test.ts', 'a.test.ts']);
  const remembered: Cache = { [`${rootDir}/a.test.ts`]: [1, (seconds + 1) * 1_000] };
  expect(order(remembered, ...tests)).toEqual(['a.test.ts', slowest, 'b.test.ts']);
});
