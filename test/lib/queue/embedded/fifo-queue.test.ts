import { beforeEach, expect, test } from '@jest/globals';
import { FifoQueue, type Received } from '../../../../lib/queue/embedded/fifo-queue.ts';
import { message } from './messages.ts';

const maxReceives = 3;
let queue: FifoQueue;
beforeEach(() => {
  queue = new FifoQueue(maxReceives);
});

function add(...groups: string[]): void {
  for (const each of groups) queue.add(message(each), 0);
}

function receive(nowMs = 0): Received {
  const received = queue.receive(nowMs);
  if (!received) throw new Error('nothing can be received');
  return received;
}

test('groups come in the order in which they were sent, each once at a time', () => {
  add('a', 'b', 'c');
  expect([receive(), receive(), receive()].map(({ message: { groupId } }) => groupId)).toEqual(['a', 'b', 'c']);
  expect(queue.receive(1_000_000)).toBeUndefined();
});

test('what comes while its predecessor is worked on is kept, and comes after it', () => {
  queue.add(message('a', 'first'), 0);
  const first = receive();
  queue.add(message('a', 'second'), 0);
  expect(queue.receive(0)).toBeUndefined();
  queue.finish(first);
  expect(receive()).toMatchObject({ message: { body: 'second' }, receiveCount: 1 });
});

test('of several that have not been received the last one stays, in the place of the first', () => {
  queue.add(message('a', 'first'), 1);
  add('b');
  queue.add(message('a', 'second'), 2);
  expect(queue.depth).toBe(2);
  const second = receive();
  expect(second).toMatchObject({ message: { body: 'second' }, sentAtMs: 1 });
  queue.add(message('a', 'third'), 3);
  queue.add(message('a', 'fourth'), 4);
  queue.finish(second);
  expect(receive().message.groupId).toBe('b');
  expect(receive().message.body).toBe('fourth');
});

test.each([
  [1, 1_000],
  [2, 4_000],
])('after failure %i a message rests for %i ms, and what is behind it too', (failures, restMs) => {
  queue.add(message('a', 'first'), 0);
  let nowMs = 0;
  for (let failure = 1; failure <= failures; failure += 1) {
    nowMs = queue.nextVisibleAtMs ?? 0;
    expect(queue.fail(receive(nowMs), nowMs)).toBe('again');
  }
  queue.add(message('a', 'second'), 0);
  add('b');
  expect(queue.nextVisibleAtMs).toBe(nowMs + restMs);
  expect(queue.depth).toBe(1);
  expect(receive(nowMs + restMs - 1).message.groupId).toBe('b');
  expect(queue.receive(nowMs + restMs - 1)).toBeUndefined();
  expect(receive(nowMs + restMs)).toMatchObject({ message: { body: 'first' }, receiveCount: failures + 1 });
});

test('a message that has failed is not replaced, since its back-off would begin anew', () => {
  queue.add(message('a', 'first'), 0);
  queue.fail(receive(), 0);
  queue.add(message('a', 'second'), 0);
  const again = receive(1_000);
  expect(again).toMatchObject({ message: { body: 'first' }, receiveCount: 2 });
  queue.finish(again);
  expect(receive(1_000)).toMatchObject({ message: { body: 'second' }, receiveCount: 1 });
});

test('a delivery that says how long its message rests is heeded, but only if it fails', () => {
  add('a');
  const first = receive();
  queue.postpone(first, 90_000);
  queue.fail(first, 0);
  expect(queue.nextVisibleAtMs).toBe(90_000);
  const second = receive(90_000);
  queue.postpone(second, 500_000);
  queue.add(message('a', 'later'), 0);
  queue.finish(second);
  expect(receive(90_000).message.body).toBe('later');
});

test('a pause that was asked for is not that of the next failure', () => {
  add('a');
  const first = receive();
  queue.postpone(first, 0);
  queue.fail(first, 0);
  queue.fail(receive(0), 10_000);
  expect(queue.nextVisibleAtMs).toBe(14_000);
});

test('after the last delivery a message is given up, and the next one of its group begins at once with the first', () => {
  queue.add(message('a', 'first'), 0);
  expect([1, 2].map(() => queue.fail(receive(1_000_000), 0))).toEqual(['again', 'again']);
  const last = receive(1_000_000);
  queue.add(message('a', 'second'), 0);
  queue.postpone(last, 2_000_000);
  expect(queue.fail(last, 1_000_000)).toBe('given-up');
  expect(receive(1_000_000)).toMatchObject({ message: { body: 'second' }, receiveCount: 1 });
});

test('what is said of a delivery that is settled changes nothing', () => {
  add('a');
  const first = receive();
  queue.fail(first, 0);
  queue.finish(first);
  queue.postpone(first, 9_000);
  expect(queue.nextVisibleAtMs).toBe(1_000);
  const second = receive(1_000);
  queue.finish(first);
  expect(queue.fail(first, 1_000)).toBe('again');
  expect(queue.isEmpty).toBe(false);
  queue.finish(second);
  expect(queue.isEmpty).toBe(true);
});

test('the depth is what can be received: not what is worked on, waits behind that, or rests', () => {
  add('a', 'b', 'c');
  expect(queue.depth).toBe(3);
  const first = receive();
  add('a');
  expect(queue.depth).toBe(2);
  queue.fail(first, 0);
  expect(queue.depth).toBe(2);
  queue.finish(receive());
  queue.finish(receive());
  expect([queue.depth, queue.isEmpty]).toEqual([0, false]);
});

test('a group that rests is tried at once when it is hurried, and its attempts count anew', () => {
  add('a');
  queue.fail(receive(), 0);
  queue.fail(receive(1_000), 1_000);
  expect(queue.restsUntilMs('a')).toBe(5_000);
  expect(queue.receive(2_000)).toBeUndefined();
  expect(queue.hurry('a')).toBe(true);
  const again = receive(2_000);
  expect([again.receiveCount, queue.restsUntilMs('a')]).toEqual([1, undefined]);
  queue.fail(again, 2_000);
  expect(queue.restsUntilMs('a')).toBe(3_000);
});

test('the place of a group that was hurried wakes nobody up at its former time', () => {
  add('a');
  queue.fail(receive(), 0);
  queue.hurry('a');
  const second = receive(0);
  expect(queue.receive(1_000)).toBeUndefined();
  queue.postpone(second, 60_000);
  queue.fail(second, 1_000);
  expect(queue.receive(59_999)).toBeUndefined();
  expect(receive(60_000).message.groupId).toBe('a');
  expect(queue.receive(60_000)).toBeUndefined();
});

test('to hurry what does not rest changes nothing', () => {
  expect(queue.hurry('a')).toBe(false);
  add('a', 'b');
  expect(queue.hurry('a')).toBe(true);
  expect([receive(), receive()].map(({ message: { groupId } }) => groupId)).toEqual(['a', 'b']);
  expect(queue.hurry('a')).toBe(true);
  expect(queue.receive(0)).toBeUndefined();
});

test('a new change alone does not end a rest: a step that fails after a write would cause one itself', () => {
  add('a');
  queue.fail(receive(), 0);
  add('a');
  expect(queue.receive(999)).toBeUndefined();
});
