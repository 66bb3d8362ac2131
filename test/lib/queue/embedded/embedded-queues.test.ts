import { beforeEach, expect, test } from '@jest/globals';
import type { SQSBatchResponse } from 'aws-lambda';
import { type EmbeddedHandler, EmbeddedQueues } from '../../../../lib/queue/embedded/embedded-queues.ts';
import type { OutgoingMessage } from '../../../../lib/queue/message-parts.ts';
import { Machine, Time } from '../../../support/simulated-time.ts';
import { message } from './messages.ts';

const done: SQSBatchResponse = { batchItemFailures: [] };
const failed: SQSBatchResponse = { batchItemFailures: [{ itemIdentifier: 'any' }] };
const day = 24 * 60 * 60_000;

let time: Time;
let machine: Machine;
/** What was delivered, and when: `1000 a first #1`. */
let deliveries: string[];
let givenUp: string[];
let unanswered: string[];
/** How many pauses are under way. */
let timers: number;

beforeEach(() => {
  time = new Time();
  machine = new Machine(time, { wallOffsetMs: 0, upMs: 0 });
  [deliveries, givenUp, unanswered, timers] = [[], [], [], 0];
});

/** A handler that is told what to answer. */
function queuesOf(
  answerTo: (message: OutgoingMessage & { receiptHandle: string }) => SQSBatchResponse | Promise<SQSBatchResponse>,
  concurrency = 10,
): EmbeddedQueues {
  const { clock } = machine;
  const handler: EmbeddedHandler = (event) => {
    const [record] = event.Records;
    if (!record) throw new Error('there is no record');
    const { body, receiptHandle, messageId, attributes } = record;
    const groupId = attributes.MessageGroupId ?? '';
    deliveries.push(`${time.nowMs} ${groupId} ${body} #${attributes.ApproximateReceiveCount}`);
    return answerTo({ function: 'work', groupId, body, deduplicationId: messageId, receiptHandle }) as never;
  };
  return new EmbeddedQueues({
    handlers: { work: handler, other: handler },
    maxReceives: 3,
    concurrency,
    timeLimitMs: 30_000,
    clock: {
      ...clock,
      pause: async (...pausing) => {
        timers += 1;
        await clock.pause(...pausing);
        timers -= 1;
      },
    },
    onGivenUp: ({ body }, { isAnswered }) => givenUp.push(`${time.nowMs} ${body} ${isAnswered}`),
    onUnanswered: ({ body }, error) => unanswered.push(`${time.nowMs} ${body}: ${error}`),
  });
}

function after(milliseconds: number, answer = done): Promise<SQSBatchResponse> {
  return new Promise((resolve) => void time.after(milliseconds, () => resolve(answer)));
}

test('everything is accepted at once, and worked on in order within a group, groups side by side', async () => {
  const queues = queuesOf(() => after(100));
  expect(await queues.send('work', [message('a', 'first'), message('b')])).toEqual([]);
  await queues.send('work', [message('a', 'second')]);
  await time.runUntil(1_000);
  expect(deliveries).toEqual(['0 a first #1', '0 b b #1', '100 a second #1']);
});

test('no more messages are worked on at a time than the limit allows, for each function by itself', async () => {
  const queues = queuesOf(() => after(100), 2);
  await queues.send(
    'work',
    ['a', 'b', 'c', 'd', 'e'].map((each) => message(each)),
  );
  await queues.send('other', [message('z')]);
  expect(await queues.depthOf('work')).toBe(3);
  await time.runUntil(1_000);
  expect(deliveries.map((line) => line.slice(0, 5).trim())).toEqual([
    '0 a a',
    '0 b b',
    '0 z z',
    '100 c',
    '100 d',
    '200 e',
  ]);
  expect(await queues.depthOf('work')).toBe(0);
});

test.each<[string, () => Promise<SQSBatchResponse>, boolean]>([
  ['fails', async () => failed, true],
  ['rejects', () => Promise.reject(new Error('broken')), false],
  [
    'throws',
    () => {
      throw new Error('broken');
    },
    false,
  ],
])('a message whose handler %s comes again after 1 and 4 s, and is then given up', async (_, answer, isAnswered) => {
  const queues = queuesOf(answer);
  await queues.send('work', [message('a')]);
  await time.runUntil(day);
  expect(deliveries).toEqual(['0 a a #1', '1000 a a #2', '5000 a a #3']);
  expect(givenUp).toEqual([`5000 a ${isAnswered}`]);
  const told = isAnswered ? [] : ['0 a: Error: broken', '1000 a: Error: broken', '5000 a: Error: broken'];
  expect(unanswered).toEqual(told);
  expect(timers).toBe(0);
});

test('a handler that says how long its message rests is heeded', async () => {
  const queues = queuesOf(async ({ receiptHandle }) => {
    await queues.postpone(receiptHandle, 60);
    return failed;
  });
  await queues.send('work', [message('a')]);
  await time.runUntil(day);
  expect(deliveries).toEqual(['0 a a #1', '60000 a a #2', '120000 a a #3']);
});

test('a handler that never answers loses its message after its time, and others go on', async () => {
  const queues = queuesOf(({ body }) => (body === 'stuck' ? new Promise(() => {}) : after(10)), 1);
  await queues.send('work', [message('a', 'stuck'), message('b')]);
  await time.runUntil(35_500);
  expect(deliveries).toEqual(['0 a stuck #1', '35000 b b #1']);
  expect(unanswered).toEqual(['35000 stuck: Error: it has not answered in 35 s']);
  await time.runUntil(day);
  expect(deliveries.slice(2)).toEqual(['36000 a stuck #2', '75000 a stuck #3']);
  expect(givenUp).toEqual(['110000 stuck false']);
});

test('a handler that answers late changes nothing: neither what it did nor how long its message rests', async () => {
  const queues = queuesOf(async ({ body, receiptHandle }) => {
    if (deliveries.length > 1 || body !== 'slow') return after(60_000 / deliveries.length);
    await after(35_500);
    await queues.postpone(receiptHandle, 900);
    return done;
  });
  await queues.send('work', [message('a', 'slow')]);
  await time.runUntil(day);
  expect(deliveries).toEqual(['0 a slow #1', '36000 a slow #2']);
});

test('however many rest, one timer wakes for all of them, each in its time', async () => {
  const queues = queuesOf(async () => failed);
  for (const each of ['a', 'b', 'c']) {
    await queues.send('work', [message(each)]);
    await time.runUntil(time.nowMs + 300);
    expect(timers).toBe(1);
  }
  let most = 0;
  await time.runUntil(day, () => {
    most = Math.max(most, timers);
  });
  expect(most).toBe(1);
  expect(deliveries.slice(3)).toEqual([
    '1000 a a #2',
    '1300 b b #2',
    '1600 c c #2',
    '5000 a a #3',
    '5300 b b #3',
    '5600 c c #3',
  ]);
  expect(givenUp).toHaveLength(3);
});

test('what becomes due while the limit is reached is worked on when a delivery ends', async () => {
  let isFirst = true;
  const queues = queuesOf(({ body }) => {
    if (body === 'a' && isFirst) {
      isFirst = false;
      return failed;
    }
    return after(3_000);
  }, 1);
  await queues.send('work', [message('a'), message('b')]);
  await time.runUntil(day);
  expect(deliveries).toEqual(['0 a a #1', '0 b b #1', '3000 a a #2']);
});

test('a clock on the wall that is set back delays nothing', async () => {
  const queues = queuesOf(async () => failed);
  await queues.send('work', [message('a')]);
  await time.runUntil(500);
  machine.wallOffsetMs = -day;
  await time.runUntil(2_000);
  expect(deliveries).toEqual(['0 a a #1', '1000 a a #2']);
});

test('stop begins nothing more, neither what waits nor what rests, and waits for what has begun', async () => {
  const queues = queuesOf(({ body }) => (body === 'c' ? failed : after(2_000)), 2);
  await queues.send('work', [message('c'), message('a'), message('b'), message('d')]);
  await time.runUntil(100);
  let isStopped = false;
  void queues.stop().then(() => {
    isStopped = true;
  });
  await time.runUntil(1_900);
  await queues.send('work', [message('e')]);
  expect(isStopped).toBe(false);
  await time.runUntil(day);
  expect(isStopped).toBe(true);
  expect(deliveries).toEqual(['0 c c #1', '0 a a #1', '0 b b #1']);
  expect(timers).toBe(0);
});

test('the event is as SQS sends it', async () => {
  const events: unknown[] = [];
  const handler: EmbeddedHandler = async (event, { awsRequestId, getRemainingTimeInMillis }) => {
    events.push({ ...event.Records[0], awsRequestId, leftMs: getRemainingTimeInMillis() });
    return done;
  };
  const { clock } = machine;
  const never = () => {
    throw new Error('nothing fails');
  };
  const shared = { maxReceives: 3, concurrency: 1, timeLimitMs: 30_000, clock, onGivenUp: never, onUnanswered: never };
  const queues = new EmbeddedQueues({ ...shared, handlers: { work: handler } });
  await queues.send('work', [message('a', 'text')]);
  await time.runUntil(1);
  expect(events).toEqual([
    {
      messageId: 'a text',
      receiptHandle: 'work-1',
      body: 'text',
      attributes: {
        MessageGroupId: 'a',
        MessageDeduplicationId: 'a text',
        ApproximateReceiveCount: '1',
        SentTimestamp: String(clock.now().getTime() - 1),
      },
      awsRequestId: 'work-1',
      leftMs: 30_000,
    },
  ]);
});

test('a function without a queue is a mistake of the wiring', async () => {
  await expect(queuesOf(() => done).send('another', [])).rejects.toThrow('there is no queue for another');
});
