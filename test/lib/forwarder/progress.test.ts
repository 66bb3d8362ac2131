import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAfter, Progress } from '../../../lib/forwarder/progress.ts';
import { ProgressOfKinds } from '../../../lib/forwarder/progress-of-kinds.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';

describe('what is acknowledged', () => {
  test('is what was there before, until something is seen', () => {
    expect([new Progress('7').acknowledged, new Progress(undefined).acknowledged]).toEqual(['7', undefined]);
  });

  test('is never beyond a message that is not taken, in whatever order the messages are taken', () => {
    const steps = fc.array(fc.record({ messages: fc.nat({ max: 3 }), taken: fc.array(fc.nat({ max: 20 })) }));
    fc.assert(
      fc.property(steps, (all) => {
        const progress = new Progress('0');
        const open: { version: number; take: () => void }[] = [];
        for (const [index, { messages, taken }] of all.entries()) {
          const take = progress.reach(String(index + 1), messages, 0);
          for (let count = 0; count < messages; count += 1) open.push({ version: index + 1, take });
          for (const choice of taken) open.splice(choice, 1)[0]?.take();
          const first = Math.min(...open.map(({ version }) => version));
          const wanted = open.length > 0 ? first - 1 : index + 1;
          expect(progress.acknowledged).toBe(String(wanted));
        }
        for (const { take } of open) take();
        expect(progress.acknowledged).toBe(String(all.length));
      }),
    );
  });
});

test('what waits for the longest time says since when', () => {
  const progress = new Progress('0');
  const first = progress.reach('1', 1, 100);
  const second = progress.reach('2', 2, 200);
  expect(progress.openSinceMs).toBe(100);
  first();
  expect(progress.openSinceMs).toBe(200);
  second();
  expect(progress.openSinceMs).toBe(200);
  second();
  expect(progress.openSinceMs).toBeUndefined();
});

test('versions are compared as the numbers that they are, however long', () => {
  expect([isAfter('10', '9'), isAfter('9', '10'), isAfter('10', '10')]).toEqual([true, false, false]);
  expect(isAfter('100000000000000000000000000001', '100000000000000000000000000000')).toBe(true);
});

describe('of each kind', () => {
  test('it is told by plural and group', () => {
    const kinds = new ProgressOfKinds({ persistentvolumeclaims: '5' });
    kinds.of(resources.claim).reach('9', 0, 0);
    kinds.of(resources.snapshot).reach('8', 0, 0);
    expect(kinds.checkpoint).toEqual({ persistentvolumeclaims: '9', 'volumesnapshots.snapshot.storage.k8s.io': '8' });
  });

  test('it goes on from one list to the next, with what is not taken', () => {
    const kinds = new ProgressOfKinds({});
    const take = kinds.of(resources.claim).reach('9', 1, 0);
    kinds.listedAt(resources.claim, '20').reach('20', 0, 0);
    expect(kinds.checkpoint).toEqual({});
    take();
    expect(kinds.checkpoint).toEqual({ persistentvolumeclaims: '20' });
  });

  test('it says nothing about a cluster that was restored from an older state', () => {
    const kinds = new ProgressOfKinds({ persistentvolumeclaims: '90' });
    const take = kinds.of(resources.claim).reach('99', 1, 0);
    expect(kinds.listedAt(resources.claim, '40').acknowledged).toBeUndefined();
    kinds.of(resources.claim).reach('40', 0, 0);
    take();
    expect(kinds.checkpoint).toEqual({ persistentvolumeclaims: '40' });
  });
});
