import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OutgoingMessage } from '../../../../lib/queue/message-parts.ts';
import type { DeadLetterQueue } from '../../../../lib/recovery/dead-letters/dead-letter-queue.ts';
import { type RedriveOptions, redrive } from '../../../../lib/recovery/dead-letters/redrive.ts';
import { emptyCounts } from '../../../../lib/recovery/dead-letters/redrive-counts.ts';
import { realClock } from '../../../../lib/runtime/clock.ts';
import { messageAbout, namesByGroup, startQueues } from './case-queues.ts';
import { dyingAt, type Moment } from './dying-queue.ts';

let queues: Awaited<ReturnType<typeof startQueues>>;

beforeAll(async () => {
  queues = await startQueues();
});
afterAll(() => queues.stop());

function options(different: Partial<RedriveOptions> = {}): RedriveOptions {
  return {
    runId: 'redrive.test',
    choose: async (deadLetters) => deadLetters.map(() => 'move'),
    rateLimiter: { take: async (most) => most },
    clock: realClock,
    isDryRun: false,
    signal: new AbortController().signal,
    ...different,
  };
}

/** Three groups, of three letters, two, and one. */
const some = ['a', 'b', 'a', 'c', 'b', 'a'].map((name, index) => messageAbout(name, index));
const inOrder = [['a1', 'a2', 'a3'], ['b1', 'b2'], ['c1']];

async function pairWith(messages: readonly OutgoingMessage[], functionName = 'match-transfer') {
  const pair = await queues.newPair(functionName);
  await pair.bury(messages);
  return pair;
}

test('all go back to their queue, in the order of their groups, and say by which run', async () => {
  const { queue, arrived, buried } = await pairWith(some);
  expect(await redrive(queue, options())).toMatchObject({ moved: 6, back: 0, refused: [], twice: [], beyond: 0 });
  const found = await arrived();
  expect(namesByGroup(found, some)).toEqual(inOrder);
  expect(found.map(({ body }) => JSON.parse(body).runid)).toEqual(found.map(() => 'redrive.test'));
  const ids = [...some, ...found].map(({ deduplicationId }) => deduplicationId);
  expect(new Set(ids).size).toBe(12);
  expect(await buried()).toEqual([]);
});

test('more than a thousand go back', async () => {
  const many = Array.from({ length: 1_003 }, (_, index) => messageAbout(`many-${index % 997}`, index));
  const { queue, arrived, buried } = await pairWith(many);
  expect((await redrive(queue, options())).moved).toBe(1_003);
  const found = await arrived();
  expect(found.length).toBe(1_003);
  expect(namesByGroup(found, many)).toEqual(namesByGroup(many, many));
  expect(await buried()).toEqual([]);
});

/** Letters in the order in which they came, each perhaps more than once in a row. */
function withoutRepeats(names: readonly string[]): string[] {
  return names.filter((name, index) => name !== names[index - 1]);
}

describe.each<Moment>(['before', 'after'])('whoever dies %s a call reaches the queue', (moment) => {
  test('has lost nothing, whichever call it is, and keeps the order', async () => {
    let deaths = 0;
    for (let call = 1; ; call += 1) {
      const { queue, arrived, buried } = await pairWith(some);
      const dying = dyingAt(queue, call, moment);
      await redrive(dying.queue, options({ runId: 'first' })).catch(() => undefined);
      if (!dying.hasDied()) break;
      deaths += 1;
      await dying.letTimePass();
      await redrive(queue, options({ runId: 'second' }));
      const found = namesByGroup(await arrived(), some);
      expect(found.map(withoutRepeats)).toEqual(inOrder);
      // At most the one letter of each group that was under way.
      for (const [index, group] of found.entries())
        expect(group.length).toBeLessThanOrEqual((inOrder[index]?.length ?? 0) + 1);
      expect(await buried()).toEqual([]);
    }
    expect(deaths).toBeGreaterThan(6);
  });
});

test('two operators at the same time send each letter once, in its order', async () => {
  const many = Array.from({ length: 120 }, (_, index) => messageAbout(`shared-${index % 40}`, index));
  const { queue, arrived, buried } = await pairWith(many);
  const runs = ['one', 'other'].map((runId) => redrive(queue, options({ runId })));
  const moved = (await Promise.all(runs)).map((tally) => tally.moved);
  // What one of them has hidden while the other one ends is for the next call.
  const rest = await redrive(queue, options({ runId: 'rest' }));
  expect((moved[0] ?? 0) + (moved[1] ?? 0) + rest.moved).toBe(120);
  const found = await arrived();
  expect(found.length).toBe(120);
  expect(namesByGroup(found, many)).toEqual(namesByGroup(many, many));
  expect(await buried()).toEqual([]);
});

test('what is not chosen stays, and can be had at once by the next command', async () => {
  const { queue, arrived, buried } = await pairWith(some);
  const choose: RedriveOptions['choose'] = async (deadLetters) =>
    deadLetters.map(({ body }) => (JSON.parse(body).name === 'b' ? 'finished' : 'move'));
  const tally = await redrive(queue, options({ choose }));
  // Of the two about b the second one is behind the first.
  expect(tally).toMatchObject({ moved: 4, left: { ...emptyCounts().left, finished: 1 }, beyond: 1 });
  expect(namesByGroup(await arrived(), some)).toEqual([['a1', 'a2', 'a3'], ['c1']]);
  expect(namesByGroup(await buried(), some)).toEqual([['b1', 'b2']]);
});

test('a dry run counts, and changes nothing', async () => {
  const { queue, arrived, buried } = await pairWith(some);
  expect(await redrive(queue, options({ isDryRun: true }))).toMatchObject({ moved: 3, beyond: 3 });
  expect(await arrived()).toEqual([]);
  expect(namesByGroup(await buried(), some)).toEqual(inOrder);
});

test('what fails again at once does not go round in circles', async () => {
  const malformed = { ...messageAbout('x'), body: 'no JSON' };
  const pair = await pairWith([malformed, messageAbout('a')]);
  const boomerang: DeadLetterQueue = {
    ...pair.queue,
    send: async (messages) => {
      await pair.bury(messages);
      // SQS keeps a message's id, and makes it the deduplication id of the dead letter.
      return messages.map(({ deduplicationId }) => ({ messageId: deduplicationId }));
    },
  };
  expect(await redrive(boomerang, options())).toMatchObject({ moved: 2, back: 2 });
  expect((await pair.buried()).length).toBe(2);
});

test('what the queue does not take stays, and nothing of its group overtakes it', async () => {
  const { queue, arrived, buried } = await pairWith(some);
  const picky: DeadLetterQueue = {
    ...queue,
    send: async (messages) => {
      const good = messages.filter(({ body }) => JSON.parse(body).name !== 'b');
      const answers = good.length > 0 ? await queue.send(good) : [];
      return messages.map((message) => answers[good.indexOf(message)] ?? { problem: 'InvalidMessageContents' });
    },
  };
  const tally = await redrive(picky, options());
  expect(tally).toMatchObject({ moved: 4, refused: [{ problem: 'InvalidMessageContents' }], beyond: 1 });
  expect(namesByGroup(await arrived(), some)).toEqual([['a1', 'a2', 'a3'], ['c1']]);
  expect(namesByGroup(await buried(), some)).toEqual([['b1', 'b2']]);
});

test('a letter that was sent and cannot be deleted is told of, and nothing of its group is sent before it again', async () => {
  const { queue, arrived, buried } = await pairWith(some);
  const sticky: DeadLetterQueue = {
    ...queue,
    remove: async (deadLetters) => {
      const kept = deadLetters.filter(({ groupId }) => groupId === messageAbout('a').groupId);
      return [...kept, ...(await queue.remove(deadLetters.filter((each) => !kept.includes(each))))];
    },
  };
  const tally = await redrive(sticky, options());
  expect(tally.twice.map(({ groupId }) => groupId)).toEqual([messageAbout('a').groupId]);
  expect(namesByGroup(await arrived(), some)).toEqual([['a1'], ['b1', 'b2'], ['c1']]);
  expect(namesByGroup(await buried(), some)).toEqual([['a1', 'a2', 'a3']]);
});

test('whoever may not delete has sent ten letters at most, and is told which', async () => {
  const many = Array.from({ length: 30 }, (_, index) => messageAbout(`kept-${index}`));
  const { queue, arrived } = await pairWith(many);
  const denied: DeadLetterQueue = { ...queue, remove: () => Promise.reject(new Error('AccessDenied')) };
  const whole = emptyCounts();
  await expect(redrive(denied, options(), whole)).rejects.toThrow('AccessDenied');
  expect(whole).toMatchObject({ moved: 10, twice: { length: 10 } });
  expect((await arrived()).length).toBe(10);
});

test('a stop keeps what is not sent yet where it is', async () => {
  const many = Array.from({ length: 30 }, (_, index) => messageAbout(`stopped-${index}`));
  const { queue, arrived, buried } = await pairWith(many);
  const stop = new AbortController();
  const onProgress = () => stop.abort();
  expect(await redrive(queue, options({ signal: stop.signal, onProgress }))).toMatchObject({ moved: 10, beyond: 20 });
  expect((await arrived()).length + (await buried()).length).toBe(30);
});

test('no more than the pace allows are sent together', async () => {
  const { queue, arrived } = await pairWith(some);
  const sizes: number[] = [];
  const counting: DeadLetterQueue = {
    ...queue,
    send: (messages) => {
      sizes.push(messages.length);
      return queue.send(messages);
    },
  };
  await redrive(counting, options({ rateLimiter: { take: async () => 1 } }));
  expect(sizes).toEqual([1, 1, 1, 1, 1, 1]);
  expect((await arrived()).length).toBe(6);
});

test('requests go back byte for byte, into the one group of their queue, each with another deduplication id', async () => {
  const body = '{ "detail-type":"Longshore Bucket Request",  "id": "1" }';
  const requests = ['1', '2', '3'].map((id) => ({
    function: 'request-bucket',
    body: body.replace('"1"', `"${id}"`),
    groupId: `lane-${id}`,
    deduplicationId: id,
  }));
  const { queue, arrived } = await pairWith(requests, 'request-bucket');
  expect((await redrive(queue, options())).moved).toBe(3);
  const found = await arrived();
  expect(found.map((message) => message.body)).toEqual(requests.map((message) => message.body));
  expect(new Set(found.map(({ groupId }) => groupId))).toEqual(new Set(['bucket-requests']));
  expect(found.map(({ deduplicationId }) => deduplicationId)).not.toEqual(expect.arrayContaining(['1']));
});

test.each(['no JSON', '{"specversion":"1.0"}', '[]'])('what is no message goes back as it is: %s', async (body) => {
  const { queue, arrived } = await pairWith([{ ...messageAbout('x'), body }]);
  await redrive(queue, options());
  expect((await arrived()).map((message) => message.body)).toEqual([body]);
});
