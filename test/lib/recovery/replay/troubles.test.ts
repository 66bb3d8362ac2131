import { describe, expect, test } from '@jest/globals';
import type { Refusal } from '../../../../lib/queue/sqs/answer.ts';
import { SendError } from '../../../../lib/queue/sqs/send-error.ts';
import type { ArchiveReader } from '../../../../lib/recovery/replay/archive-reader.ts';
import { type Damage, emptySummary } from '../../../../lib/recovery/replay/summary.ts';
import { settled, until } from '../../archive/fake-segments.ts';
import {
  about,
  archiveOf,
  messageOf,
  nameAt,
  numberOf,
  PausedClock,
  replayOf,
  timeOf,
  wishFor,
} from './case-replay.ts';
import { UnrulyQueue } from './unruly-queue.ts';

const names = ['a', 'b', 'c', 'a', 'b', 'c', 'a'];
const away = new SendError('no answer', { code: 'TimeLimit' });

/** Takes all but what a test says of the call. */
function refusing(refusalsOf: (numbers: number[]) => Omit<Refusal, 'position'>[] | undefined) {
  const queue = new UnrulyQueue();
  const calls: number[][] = [];
  const offer = async (name: string, messages: Parameters<typeof queue.offer>[1]): Promise<Refusal[]> => {
    const numbers = messages.map(numberOf);
    calls.push(numbers);
    const refusals = refusalsOf(numbers);
    if (!refusals) return queue.offer(name, messages);
    return refusals.map((refusal, position) => ({ ...refusal, position }));
  };
  return { queue, calls, offer };
}

describe('a queue', () => {
  test('that is away is tried again after pauses that grow to ten seconds, which is told', async () => {
    const clock = new PausedClock();
    const troubles: string[] = [];
    let failures = 9;
    const queue = new UnrulyQueue();
    const replay = replayOf(archiveOf(about('a')), {
      clock,
      onTrouble: (problem) => troubles.push(problem),
      offer: async (...call) => {
        failures -= 1;
        if (failures >= 0) throw away;
        return queue.offer(...call);
      },
    });
    expect(await replay.run()).toBe(true);
    expect(clock.pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
    expect(troubles).toEqual(Array(9).fill('no answer'));
    expect(queue.taken).toHaveLength(1);
  });

  test('that stays away ends the replay, in some minutes', async () => {
    const clock = new PausedClock();
    const replay = replayOf(archiveOf(about('a')), { clock, offer: () => Promise.reject(away) });
    await expect(replay.run()).rejects.toBe(away);
    expect(clock.elapsedMs()).toBeGreaterThan(200_000);
    expect(clock.elapsedMs()).toBeLessThan(400_000);
  });

  test.each([
    new SendError('there is no such queue', { status: 400, code: 'QueueDoesNotExist' }),
    new SendError('it may not be used', { status: 403, code: 'AccessDenied' }),
    new Error('there are no keys'),
  ])('for which trying again does not help ends the replay at once: %p', async (failure) => {
    const clock = new PausedClock();
    const replay = replayOf(archiveOf(about(...names)), { clock, offer: () => Promise.reject(failure) });
    await expect(replay.run()).rejects.toBe(failure);
    expect([clock.pauses, replay.position]).toEqual([[], undefined]);
  });

  test('that does not answer is not read for any further than what can be held', async () => {
    let read = 0;
    const archive: ArchiveReader = {
      async *segments() {
        yield nameAt(0);
      },
      async *messages() {
        for (; read < 10_000; read += 1) yield [{ ...messageOf({ name: `claim-${read}` }, 0), sentAt: timeOf(0) }];
      },
    };
    const queue = new UnrulyQueue();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const replay = replayOf(archiveOf([]), { archive, offer: (...call) => answered.then(() => queue.offer(...call)) });
    const done = replay.run();
    await settled();
    expect(read).toBeGreaterThan(1_000);
    expect(read).toBeLessThan(3_000);
    answer();
    expect([await done, queue.taken.length]).toEqual([true, 10_000]);
  });

  test('that does not take one message is not read for ever past it, so that little is sent again by who goes on', async () => {
    let read = 0;
    const archive: ArchiveReader = {
      async *segments() {
        yield nameAt(0);
      },
      async *messages() {
        const others = { ...messageOf({ name: 'a', namespace: 'other' }, 0), sentAt: timeOf(0) };
        yield [{ ...messageOf({ name: 'a' }, 0), sentAt: timeOf(0) }];
        for (; read < 100_000; read += 1) yield [others];
      },
    };
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const wish = wishFor({ namespace: 'team' });
    const replay = replayOf(archiveOf([]), { archive, wish, offer: () => answered.then(() => []) });
    const done = replay.run();
    await until('it waits', () => read > 10_000);
    await settled();
    expect(read).toBeLessThan(30_000);
    expect(replay.settled).toEqual({ position: undefined, summary: emptySummary });
    answer();
    expect([await done, replay.settled.summary]).toEqual([true, replay.summary]);
    expect(replay.summary.others).toBe(100_000);
  });

  test('that wants fewer calls gets them', async () => {
    const throttled = new SendError('too many', { status: 400, code: 'RequestThrottled' });
    let isFirst = true;
    const queue = new UnrulyQueue();
    const replay = replayOf(archiveOf(about(...names)), {
      offer: async (...call) => {
        if (!isFirst) return queue.offer(...call);
        isFirst = false;
        throw throttled;
      },
    });
    expect(await replay.run()).toBe(true);
    expect(queue.taken).toHaveLength(names.length);
  });
});

describe('a message', () => {
  test('that its queue never takes is left out when it was refused alone, and counted; its group goes on', async () => {
    const { queue, calls, offer } = refusing((numbers) => {
      return numbers.includes(1)
        ? numbers.map(() => ({ code: 'InvalidMessageContents', senderFault: true }))
        : undefined;
    });
    const replay = replayOf(archiveOf(about(...names)), { offer });
    expect(await replay.run()).toBe(true);
    expect(queue.taken.map(numberOf).sort()).toEqual([0, 2, 3, 4, 5, 6]);
    expect(calls).toContainEqual([1]);
    expect(replay.summary.refused).toEqual([{ function: 'match-claim', code: 'InvalidMessageContents', messages: 1 }]);
    expect(replay.position?.lines).toBe(3);
  });

  test('that is refused for what is no fault of its own ends the replay, which can be gone on with', async () => {
    const { offer } = refusing((numbers) => numbers.map(() => ({ code: 'KmsAccessDenied', senderFault: true })));
    const replay = replayOf(archiveOf(about(...names)), { offer });
    await expect(replay.run()).rejects.toThrow('the queue of match-claim refuses messages: KmsAccessDenied');
    expect([replay.position, replay.summary.refused]).toEqual([undefined, []]);
  });

  test('that is refused again and again holds up its group alone, until somebody has to look', async () => {
    const queue = new UnrulyQueue();
    const refused: Refusal[] = [{ position: 0, code: 'InternalError', senderFault: false }];
    // What was refused comes again when the others have been taken, however long it takes to read them.
    const pause = () => until('the others are taken', () => queue.taken.length === 4);
    const clock = Object.assign(new PausedClock(), { pause });
    const replay = replayOf(archiveOf(about(...names)), {
      clock,
      offer: async (name, messages) => {
        // What is refused stands first in its call; the others of it are taken.
        if (messages.map(numberOf)[0] !== 0) return queue.offer(name, messages);
        if (messages.length > 1) await queue.offer(name, messages.slice(1));
        return refused;
      },
    });
    await expect(replay.run()).rejects.toThrow('the queue of match-claim refuses messages: InternalError');
    expect(queue.taken.map(numberOf).sort()).toEqual([1, 2, 4, 5]);
    expect(replay.position).toBeUndefined();
  });
});

describe('a damaged segment', () => {
  const all = about('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  const endsEarly = expect.stringContaining('unexpected end of file');
  const damaged = () => {
    const store = archiveOf(all);
    const [first = ''] = store.objects.keys();
    const bytes = store.objects.get(first) ?? Buffer.alloc(0);
    store.objects.set(first, bytes.subarray(0, -6));
    return { store, first };
  };

  test('ends the replay behind what was read of it, and is named', async () => {
    const { store, first } = damaged();
    const queue = new UnrulyQueue();
    const replay = replayOf(store, { offer: queue.offer });
    await expect(replay.run()).rejects.toMatchObject({ segment: first, reason: endsEarly });
    expect(queue.taken.length).toBeLessThanOrEqual(4);
    expect(replay.position?.segment ?? first).toBe(first);
  });

  test('is passed over where that is wanted, told at once and named in the end, and the next one is replayed', async () => {
    const { store, first } = damaged();
    const queue = new UnrulyQueue();
    const told: Damage[] = [];
    const onDamage = (damage: Damage) => told.push(damage);
    const replay = replayOf(store, { offer: queue.offer, skipDamaged: true, onDamage });
    expect(await replay.run()).toBe(true);
    expect(queue.taken.map(numberOf).filter((number) => number >= 4)).toEqual([4, 5, 6, 7]);
    const expected = { segment: first, linesRead: queue.taken.length - 4, reason: endsEarly };
    expect([told, replay.summary.damaged]).toEqual([[expected], [expected]]);
  });

  test('is also one that is too large to be held', async () => {
    const store = archiveOf(all);
    const [first = ''] = store.objects.keys();
    store.objects.set(first, Buffer.alloc(9 * 1024 * 1024));
    const queue = new UnrulyQueue();
    const replay = replayOf(store, { offer: queue.offer, skipDamaged: true });
    expect(await replay.run()).toBe(true);
    expect(queue.taken.map(numberOf)).toEqual([4, 5, 6, 7]);
    const reason = 'it is larger than any that Longshore writes';
    expect(replay.summary.damaged).toEqual([{ segment: first, linesRead: 0, reason }]);
  });
});
