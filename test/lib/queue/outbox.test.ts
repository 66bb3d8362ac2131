import { expect, test } from '@jest/globals';
import type { OutgoingMessage } from '../../../lib/queue/message.ts';
import { Outbox, type OutboxOptions } from '../../../lib/queue/outbox.ts';

const message = (groupId: string, body = groupId, name = 'first'): OutgoingMessage => ({
  function: name,
  body,
  groupId,
  deduplicationId: body,
});

function outboxWith(options: Partial<OutboxOptions> = {}) {
  const batches: string[][] = [];
  const pauses: number[] = [];
  const failures: string[] = [];
  const outbox = new Outbox({
    send: async (name, messages) => {
      batches.push([name, ...messages.map(({ body }) => body)]);
      return (await options.send?.(name, messages)) ?? [];
    },
    pause: options.pause ?? (async (milliseconds) => void pauses.push(milliseconds)),
    onFailure: (error) => failures.push(String(error)),
  });
  return { outbox, batches, pauses, failures };
}

test('of several messages of one key only the last is sent', async () => {
  const { outbox, batches } = outboxWith();
  for (const body of ['old', 'newer', 'newest']) outbox.add(message('a', body));
  expect(outbox.size).toBe(1);
  await outbox.drained();
  expect(batches).toEqual([['first', 'newest']]);
  expect(outbox.size).toBe(0);
});

test('messages go out ten at a time, to each function by itself', async () => {
  const { outbox, batches } = outboxWith();
  for (let count = 0; count < 12; count += 1) outbox.add(message(`k${count}`));
  outbox.add(message('k0', 'k0', 'second'));
  await outbox.drained();
  expect(batches.map(([name, ...bodies]) => [name, bodies.length])).toEqual([
    ['first', 10],
    ['second', 1],
    ['first', 2],
  ]);
});

test('what a queue did not take is sent again after a pause, and nothing else', async () => {
  let refusals = 1;
  const send = async () => (refusals-- > 0 ? [1] : []);
  const { outbox, batches, pauses } = outboxWith({ send });
  for (const key of ['a', 'b', 'c']) outbox.add(message(key));
  await outbox.drained();
  expect(batches).toEqual([
    ['first', 'a', 'b', 'c'],
    ['first', 'b'],
  ]);
  expect(pauses).toEqual([100]);
});

test('a call that fails is told, and repeated after pauses that grow to ten seconds', async () => {
  let failures = 9;
  const send = async () => {
    failures -= 1;
    if (failures >= 0) throw new Error('unreachable');
    return [];
  };
  const told = outboxWith({ send });
  told.outbox.add(message('a'));
  await told.outbox.drained();
  expect(told.pauses).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  expect(told.failures).toHaveLength(9);
  expect(told.batches.at(-1)).toEqual(['first', 'a']);
});

test('a newer message of a key that is just being sent is sent too', async () => {
  let outbox: Outbox | undefined;
  const send = async (_: string, [first]: OutgoingMessage[]) => {
    if (first?.body === 'old') outbox?.add(message('a', 'new'));
    return [];
  };
  const made = outboxWith({ send });
  outbox = made.outbox;
  outbox.add(message('a', 'old'));
  await outbox.drained();
  expect(made.batches).toEqual([
    ['first', 'old'],
    ['first', 'new'],
  ]);
});

test('an outbox that has been emptied takes messages again', async () => {
  const { outbox, batches } = outboxWith();
  outbox.add(message('a', 'one'));
  await outbox.drained();
  outbox.add(message('a', 'two'));
  await outbox.drained();
  expect(batches).toEqual([
    ['first', 'one'],
    ['first', 'two'],
  ]);
});

test('a message is never stranded, at whatever moment of another one being sent it is added', async () => {
  for (let moment = 0; moment < 20; moment += 1) {
    const { outbox, batches } = outboxWith();
    outbox.add(message('a'));
    for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();
    outbox.add(message('b'));
    await outbox.drained();
    expect([moment, outbox.size, batches.flat().filter((body) => body === 'b')]).toEqual([moment, 0, ['b']]);
  }
});
