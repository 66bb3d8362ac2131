import { expect, test } from '@jest/globals';
import type { OutgoingMessage } from '../../../lib/queue/message-parts.ts';
import { labelOf, outboxWith, partsOf, waiting } from './case-outbox.ts';

test('of those who wait on one behalf for one message, the first one is told by it, and stands for the others', async () => {
  const taken: number[] = [];
  const progress = {};
  const { outbox } = outboxWith();
  for (const version of [1, 2, 3])
    outbox.add(
      partsOf('a', version),
      waiting(() => taken.push(version), progress),
    );
  expect(taken).toEqual([2, 3]);
  await outbox.drained();
  expect(taken).toEqual([2, 3, 1]);
});

test('whoever waits for what is on its way does not stand for what came up after that', async () => {
  const taken: number[] = [];
  const progress = {};
  const send = async (_: string, [first]: OutgoingMessage[]) => {
    if (!first || labelOf(first) !== 'a 1') return [];
    for (const version of [2, 3])
      outbox.add(
        partsOf('a', version),
        waiting(() => taken.push(version), progress),
      );
    expect(taken).toEqual([3]);
    return [];
  };
  const { outbox } = outboxWith({ send });
  outbox.add(
    partsOf('a', 1),
    waiting(() => taken.push(1), progress),
  );
  await outbox.drained();
  expect(taken).toEqual([3, 1, 2]);
});

test('what is on its way counts as sent: whoever has something to tell by then adds it', async () => {
  const states: boolean[] = [];
  const send = async () => {
    states.push(outbox.isToSend(partsOf('a')));
    outbox.add(partsOf('a', 2));
    states.push(outbox.isToSend(partsOf('a')));
    outbox.stop();
    return [];
  };
  const { outbox } = outboxWith({ send });
  states.push(outbox.isToSend(partsOf('a')));
  outbox.add(partsOf('a'));
  states.push(outbox.isToSend(partsOf('a')));
  await outbox.drained();
  await new Promise((resolve) => setImmediate(resolve));
  expect(states).toEqual([false, true, false, true]);
});

test('nothing is sent without the right to send, and everything as soon as that is there', async () => {
  let questions = 0;
  const maySend = () => {
    questions += 1;
    return questions > 3;
  };
  const { outbox, batches, pauses } = outboxWith({ maySend });
  outbox.add(partsOf('a'));
  await outbox.drained();
  expect([batches, pauses]).toEqual([[['match-claim', 'a 1']], [250, 250, 250]]);
});

test('what is stopped sends nothing more, and nobody waits for it', async () => {
  const { outbox, batches } = outboxWith();
  outbox.add(partsOf('a'));
  outbox.stop();
  await outbox.drained();
  expect([batches, outbox.size]).toEqual([[], 1]);
});

test('whoever reads from the cluster waits while too much waits for a queue', async () => {
  let answer: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { outbox } = outboxWith({ send: () => gate.then(() => []) });
  for (let count = 0; count < 20_000; count += 1) outbox.add(partsOf(`k${count}`));
  let hasRoom = false;
  const room = outbox.room().then(() => {
    hasRoom = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasRoom).toBe(false);
  answer?.();
  await room;
  await outbox.drained();
});

test('a call that has failed is not on its way any more while its queue is left alone', async () => {
  let answers = 0;
  const send = async () => {
    answers += 1;
    if (answers === 1) throw new Error('unreachable');
    return [];
  };
  const { outbox, pauses } = outboxWith({ send });
  outbox.add(partsOf('a'));
  while (pauses.length === 0) await Promise.resolve();
  expect([outbox.stats.inFlight, outbox.size]).toEqual([0, 1]);
  await outbox.drained();
});

test('what rests is tried at once when there is no time left, and nothing is paused for who has given up', async () => {
  const pausing: (AbortSignal | undefined)[] = [];
  const pause = (_: number, signal?: AbortSignal) => {
    pausing.push(signal);
    return new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
  };
  let answers = 0;
  const send = async () => {
    answers += 1;
    if (answers === 1) throw new Error('unreachable');
    return [];
  };
  const { outbox } = outboxWith({ send, clock: { elapsedMs: () => 0, pause } });
  outbox.add(partsOf('a'));
  while (answers === 0 || outbox.stats.inFlight > 0) await Promise.resolve();
  outbox.tryNow();
  await outbox.drained();
  expect(answers).toBe(2);
  outbox.stop();
  expect(pausing.every((signal) => signal?.aborted)).toBe(true);
});

test('whoever waits for room is told when it is of no use to wait any more', async () => {
  const { outbox } = outboxWith({ archive: { add: () => {}, unwrittenBytes: 100_000_000 } });
  const over = new AbortController();
  const waits = Promise.all([outbox.room(over.signal), outbox.room(over.signal)]);
  over.abort();
  await waits;
  await outbox.room(over.signal);
});

test('nothing is sent while the archive does not take what was sent', async () => {
  const archive = { add: (_: OutgoingMessage, written: () => void) => written(), unwrittenBytes: 100_000_000 };
  const { outbox, batches, pauses } = outboxWith({ archive });
  outbox.add(partsOf('a'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(batches).toEqual([]);
  expect(pauses.length).toBeGreaterThan(0);
  archive.unwrittenBytes = 0;
  await outbox.drained();
  expect(batches).toEqual([['match-claim', 'a 1']]);
});

test('a message counts as taken when the archive has it, and not before', async () => {
  const written: (() => void)[] = [];
  const archive = { add: (_: OutgoingMessage, notify: () => void) => void written.push(notify), unwrittenBytes: 0 };
  const { outbox } = outboxWith({ archive });
  let isTaken = false;
  const notify = () => {
    isTaken = true;
  };
  outbox.add(partsOf('a'), waiting(notify));
  await outbox.drained();
  expect([written.length, isTaken]).toEqual([1, false]);
  written[0]?.();
  expect(isTaken).toBe(true);
});

test('who has much to tell is told when little of it is left that could be sent', async () => {
  const { outbox } = outboxWith({ maxReady: 1_000 });
  for (let number = 0; !outbox.isBehind; number += 1) outbox.add(partsOf(`claim-${number}`));
  const before = outbox.size;
  await outbox.caughtUp();
  expect(outbox.size).toBeGreaterThan(0);
  expect(outbox.size).toBeLessThan(before);
});

test('a queue that is away keeps nobody who has much to tell from telling the others', async () => {
  const send = async (name: string) => {
    if (name === 'away') throw new Error('there is no such queue');
    return [];
  };
  const { outbox } = outboxWith({ send });
  let sent = 0;
  for (let number = 0; number < 5_000; number += 1) {
    outbox.add(partsOf(`claim-${number}`, 1, 'away'));
    outbox.add(
      partsOf(`claim-${number}`),
      waiting(() => {
        sent += 1;
      }),
    );
    if (outbox.isBehind) await outbox.caughtUp();
  }
  while (outbox.sizeOf('match-claim') > 0) await new Promise((resolve) => setImmediate(resolve));
  expect([sent, outbox.sizeOf('away')]).toEqual([5_000, 5_000]);
  outbox.stop();
});

test('who waits until little is left waits no longer than for what stops them', async () => {
  const stopping = new AbortController();
  const { outbox } = outboxWith({ send: () => new Promise<number[]>(() => {}) });
  for (let number = 0; !outbox.isBehind; number += 1) outbox.add(partsOf(`claim-${number}`));
  const before = outbox.size;
  const caughtUp = outbox.caughtUp(stopping.signal);
  stopping.abort();
  await caughtUp;
  expect(outbox.size).toBe(before);
});
