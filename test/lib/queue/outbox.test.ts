import { expect, test } from '@jest/globals';
import { resources } from '../../../lib/cluster/resources.ts';
import type { MessageParts, OutgoingMessage } from '../../../lib/queue/message.ts';
import { Outbox, type OutboxOptions } from '../../../lib/queue/outbox.ts';

/** A message about one claim, which is its key, because of this version of it. */
function partsOf(name: string, version = 1, functionName = 'match-claim'): MessageParts {
  return {
    cluster: 'main',
    function: functionName,
    resource: resources.claim,
    key: { namespace: 'prod', name },
    cause: { uid: `uid-${name}`, resourceVersion: String(version), type: 'update' },
    time: new Date(version),
  };
}

/** Each waits on behalf of its own, unless it is said on whose. */
const waiting = (tell: () => void, of: object = {}) => ({ of, tell });

/** As they are told apart here: by their claim and, as the time of the change, its version. */
const labelOf = ({ body }: OutgoingMessage): string => {
  const { name, time } = JSON.parse(body) as { name: string; time: string };
  return `${name} ${Date.parse(time)}`;
};

function outboxWith(options: Partial<OutboxOptions> = {}) {
  const batches: string[][] = [];
  const pauses: number[] = [];
  const failures: string[] = [];
  // Shorter ones are those in which messages gather for one call.
  const pause = async (milliseconds: number) => {
    if (milliseconds >= 100) pauses.push(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const outbox = new Outbox({
    clock: { elapsedMs: () => 0, pause },
    onFailure: (error) => failures.push(String(error)),
    ...options,
    send: async (name, messages) => {
      batches.push([name, ...messages.map(labelOf)]);
      return (await options.send?.(name, messages)) ?? [];
    },
  });
  return { outbox, batches, pauses, failures };
}

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
  expect([outbox.size, outbox.figures]).toEqual([0, { sent: 1, coalesced: 2, retried: 0, inFlight: 0 }]);
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
  expect([pauses, outbox.figures.retried]).toEqual([[100], 1]);
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
  const archive = { add: (_: OutgoingMessage, tell: () => void) => void written.push(tell), unwrittenBytes: 0 };
  const { outbox } = outboxWith({ archive });
  let isTaken = false;
  const tell = () => {
    isTaken = true;
  };
  outbox.add(partsOf('a'), waiting(tell));
  await outbox.drained();
  expect([written.length, isTaken]).toEqual([1, false]);
  written[0]?.();
  expect(isTaken).toBe(true);
});
