import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { emptyClaim } from '../../../tools/csi-stand-in/objects.ts';
import type { Action, Step } from '../../../tools/csi-stand-in/rules/rule.ts';
import { Runner } from '../../../tools/csi-stand-in/runner.ts';
import { partsOf } from './case.ts';

const claim = emptyClaim(partsOf('data', {}));
const write: Action = { type: 'disk', driver: 'any', operation: () => {} };

/** Runs one sidecar that answers these steps one after another, and then nothing. */
function running(steps: Step[], perform: () => Promise<void> = async () => {}, isStarted = true) {
  const asked: number[] = [];
  const next = () => {
    asked.push(Date.now());
    return steps[asked.length - 1] ?? { actions: [] };
  };
  const world = { get: () => claim as never, all: () => [], now: () => new Date() };
  const lines: string[] = [];
  const options = { retryMs: 20, log: (line: string) => lines.push(line) };
  const runner = new Runner([{ name: 'sidecar', resource: resources.claim, next }], world, { perform }, options);
  runner.onChange('changed', resources.claim, claim);
  if (isStarted) runner.start();
  return { runner, asked, lines };
}

describe('the runner of the sidecars', () => {
  test('asks nobody before all there is has been told', async () => {
    const { runner, asked } = running([], undefined, false);
    await pause(20);
    expect(asked).toEqual([]);
    runner.start();
    await pause(5);
    expect(asked).toHaveLength(1);
    await runner.stop();
  });

  test('asks again after each step until there is nothing to do', async () => {
    const { runner, asked } = running([{ actions: [write] }, { actions: [write] }]);
    await pause(50);
    expect(asked).toHaveLength(3);
    await runner.stop();
  });

  test('tries again after pauses that grow, and at once when it is woken', async () => {
    const { runner, asked } = running(Array(9).fill({ actions: [], again: true }));
    await pause(100);
    const before = asked.length;
    expect(before).toBeGreaterThanOrEqual(2);
    expect(before).toBeLessThanOrEqual(4);
    runner.wakeAll();
    await pause(5);
    expect(asked.length).toBeGreaterThan(before);
    await runner.stop();
    const { length } = asked;
    await pause(200);
    expect(asked).toHaveLength(length);
  });

  test('looks again after a conflict, without a word', async () => {
    let conflicts = 1;
    const perform = async () => {
      conflicts -= 1;
      if (conflicts >= 0) throw new ClusterError('conflict', 'it has been modified', 409);
    };
    const { runner, asked, lines } = running([{ actions: [write] }, { actions: [write] }], perform);
    await pause(100);
    expect(asked).toHaveLength(3);
    expect(lines).toEqual([]);
    await runner.stop();
  });

  test('logs any other failure and tries again', async () => {
    const perform = () => Promise.reject(new Error('the disk is full'));
    const { runner, asked, lines } = running([{ actions: [write] }], perform);
    await pause(100);
    expect(asked).toHaveLength(2);
    expect(lines).toEqual(['sidecar: the disk is full']);
    await runner.stop();
  });
});
