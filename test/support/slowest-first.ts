import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import type { Test } from 'jest-runner';

type Sequencer = typeof import('@jest/test-sequencer');
const { default: TestSequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as Sequencer;

/** Of each file that takes long, about how many seconds; docs/development.md says how it is written. */
const recorded: Record<string, number> = JSON.parse(readFileSync(new URL('./durations.json', import.meta.url), 'utf8'));
/** For a file of which nothing is known, by its project. */
const expectedSeconds: Record<string, number> = { disasters: 60, deploy: 10, cluster: 10, simulation: 10 };

/** What takes longest begins first, so that nothing long is left when everything else is over. */
export default class SlowestFirst extends TestSequencer {
  override sort(tests: Test[]): Test[] {
    const timed = tests.map((test) => ({ test, seconds: this.secondsOf(test) }));
    return timed.sort((one, other) => other.seconds - one.seconds).map(({ test }) => test);
  }

  /** What jest keeps of the last run on this machine is nearer to the truth than what was recorded on another. */
  private secondsOf(test: Test): number {
    const { rootDir, displayName } = test.context.config;
    const [, lastMs] = this._getCache(test)[test.path] ?? [];
    if (lastMs !== undefined) return lastMs / 1_000;
    return recorded[relative(rootDir, test.path)] ?? expectedSeconds[displayName?.name ?? ''] ?? 1;
  }
}
