import { expect, test } from '@jest/globals';
import type { OutgoingMessage } from '../../../lib/queue/message-parts.ts';
import { labelOf, outboxWith, partsOf, waiting } from './case-outbox.ts';

test('of several messages of one key only the last is sent, and all of them count as taken', async () => {
  const { outbox, batches } = outboxWith();
  const taken: number[] = [];
  for (const version of [1, 2, 3])
    outbox.add(
      partsOf('a', version),
      waiting(() => taken.push(version)),
    );
  expect(outbox.size).toBe(1);
  await outbox.drained();
  expect(batches).toEqual([['match-claim', 'a 3']]);
  expect(taken).toEqual([1, 2, 3]);
  expect([outbox.size, outbox.stats]).toEqual([0, { sent: 1, coalesced: 2, retried: 0, inFlight: 0 }]);
});

test('messages go out ten at a time, to each function by itself', async () => {
  const { outbox, batches } = outboxWith();
  for (let count = 0; count < 12; count += 1) outbox.add(partsOf(`k${count}`));
  outbox.add(partsOf('k0', 1, 'check-source'));
  await outbox.drained();
  expect(batches.map(([name, ...bodies]) => [name, bodies.length]).sort()).toEqual([
    ['check-source', 1],
    ['match-claim', 10],
    ['match-claim', 2],
  ]);
});

test('what a queue did not take is sent again after a pause, and nothing else', async () => {
  let refusals = 1;
  const send = async () => (refusals-- > 0 ? [1] : []);
  const { outbox, batches, pauses } = outboxWith({ send });
  for (const name of ['a', 'b', 'c']) outbox.add(partsOf(name));
  await outbox.drained();
  expect(batches).toEqual([
    ['match-claim', 'a 1', 'b 1', 'c 1'],
    ['match-claim', 'b 1'],
  ]);
  expect([pauses, outbox.stats.retried]).toEqual([[100], 1]);
});

test('a call that fails is told, and repeated after pauses that grow to ten seconds', async () => {
  let failures = 9;
  const send = async () => {
    failures -= 1;
    if (failures >= 0) throw new Error('unreachable');
    return [];
  };
  const told = outboxWith({ send });
  told.outbox.add(partsOf('a'));
  await told.outbox.drained();
  expect(told.pauses).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  expect(told.failures).toHaveLength(9);
  expect(told.batches.at(-1)).toEqual(['match-claim', 'a 1']);
});

test('a change of a key that is just being sent is sent after that, by one message for all that came up', async () => {
  const taken: string[] = [];
  const send = async (_: string, [first]: OutgoingMessage[]) => {
    if (!first || labelOf(first) !== 'a 1') return [];
    for (const version of [2, 3])
      outbox.add(
        partsOf('a', version),
        waiting(() => taken.push(`a ${version}`)),
      );
    return [];
  };
  const { outbox, batches } = outboxWith({ send });
  outbox.add(
    partsOf('a', 1),
    waiting(() => taken.push('a 1')),
  );
  await outbox.drained();
  expect(batches).toEqual([
    ['match-claim', 'a 1'],
    ['match-claim', 'a 3'],
  ]);
  expect(taken).toEqual(['a 1', 'a 2', 'a 3']);
});

test.each(['refused', 'lost'])(
  'a newer change is told in the place of what was %s, and never before it',
  async (how) => {
    let isFirst = true;
    const send = async () => {
      if (!isFirst) return [];
      isFirst = false;
      outbox.add(partsOf('a', 2));
      if (how === 'lost') throw new Error('no answer');
      return [0];
    };
    const { outbox, batches } = outboxWith({ send });
    outbox.add(partsOf('a', 1));
    await outbox.drained();
    expect(batches).toEqual([
      ['match-claim', 'a 1'],
      ['match-claim', 'a 2'],
    ]);
  },
);

test('an outbox that has been emptied takes messages again', async () => {
  const { outbox, batches } = outboxWith();
  for (const name of ['one', 'two']) {
    outbox.add(partsOf(name));
    await outbox.drained();
  }
  expect(batches).toEqual([
    ['match-claim', 'one 1'],
    ['match-claim', 'two 1'],
  ]);
});

test('a message is never stranded, at whatever moment of another one being sent it is added', async () => {
  for (let moment = 0; moment < 20; moment += 1) {
    const { outbox, batches } = outboxWith();
    outbox.add(partsOf('a'));
    for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();
    outbox.add(partsOf('b'));
    await outbox.drained();
    expect([moment, outbox.size, batches.flat().filter((label) => label === 'b 1')]).toEqual([moment, 0, ['b 1']]);
  }
});
