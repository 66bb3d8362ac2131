import { describe, expect, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { type Envelope, readEnvelope } from '../../../lib/queue/envelope.ts';
import { type BatchOptions, type Delivery, handleBatch } from '../../../lib/queue/received-batch.ts';
import { OutOfTime } from '../../../lib/queue/time-limit.ts';
import { MalformedMessage } from '../../../lib/queue/unusable-message.ts';
import { attempt, type Work } from '../../../lib/reconcile/delivery.ts';
import type { DeliveryLog } from '../../../lib/reconcile/delivery-log.ts';

/** Each message is written `group:name`, and `!` at the end makes it fail: for good where it is `bad!`. */
function batchOf(...messages: string[]): SQSEvent {
  const Records = messages.map((message) => ({
    messageId: message,
    receiptHandle: `handle of ${message}`,
    body: message,
    attributes: { MessageGroupId: message.split(':')[0], ApproximateReceiveCount: '2' },
  }));
  return { Records } as unknown as SQSEvent;
}

interface Options extends Partial<BatchOptions<Envelope>> {
  work?: (delivery: Pick<Delivery<Envelope>, 'body' | 'receiveCount'>, working: AbortSignal) => Promise<void>;
}

async function run(event: SQSEvent, { work, ...options }: Options = {}) {
  const handled: string[] = [];
  const postponed: [string, number][] = [];
  const failures: string[] = [];
  const done: Work<Envelope> = async (delivery, _, working) => {
    const { body } = delivery;
    if (work) return work(delivery, working);
    handled.push(body);
    if (body.endsWith('bad!')) throw new MalformedMessage(body);
    if (body.endsWith('!')) throw new Error(`${body} failed`);
  };
  const answer = await handleBatch(event, {
    read: readEnvelope,
    attempt: (delivery, limit) => {
      const failed = (error: unknown) => failures.push(`${delivery.body}: ${(error as Error).message}`);
      const log = { handled: () => {}, failed } as unknown as DeliveryLog;
      return attempt(delivery, { work: done, isLast: false }, log, limit);
    },
    postpone: async (handle, seconds) => {
      postponed.push([handle, seconds]);
    },
    maxReceives: 3,
    ...options,
  });
  return { handled, postponed, failures, failed: answer.batchItemFailures.map((item) => item.itemIdentifier) };
}

test('a batch without failures reports none', async () => {
  const { handled, postponed, failed } = await run(batchOf('a:1', 'b:1', 'a:2'));
  expect(handled.toSorted()).toEqual(['a:1', 'a:2', 'b:1']);
  expect([postponed, failed]).toEqual([[], []]);
});

test('groups run at the same time, and each group in its order', async () => {
  const started: string[] = [];
  const gate = Promise.withResolvers<void>();
  const running = run(batchOf('a:1', 'a:2', 'b:1'), {
    work: async ({ body }) => {
      started.push(body);
      // The first group cannot go on before the second has begun.
      if (body === 'b:1') gate.resolve();
      await gate.promise;
    },
  });
  await running;
  expect(started).toEqual(['a:1', 'b:1', 'a:2']);
});

test('a failure stops its own group only, and the rest of the group is reported with it', async () => {
  const { handled, failed, failures } = await run(batchOf('a:1', 'a:2!', 'a:3', 'b:1', 'b:2'));
  expect(handled).not.toContain('a:3');
  expect(handled).toContain('b:2');
  expect(failed).toEqual(['a:2!', 'a:3']);
  expect(failures).toEqual(['a:2!: a:2! failed']);
});

test('what failed is postponed by its number of deliveries, and with it what follows it', async () => {
  const { postponed } = await run(batchOf('a:1!', 'a:2'));
  expect(postponed).toEqual([
    ['handle of a:1!', 4],
    ['handle of a:2', 4],
  ]);
});

test('what time cannot mend does not rest', async () => {
  const { postponed, failed } = await run(batchOf('a:bad!'));
  expect(postponed.filter(([, seconds]) => seconds > 0)).toEqual([]);
  expect(failed).toEqual(['a:bad!']);
});

describe('what time cannot mend stops nothing', () => {
  test('its neighbours in the group are handled, and it alone is reported', async () => {
    const { handled, failed, postponed } = await run(batchOf('a:1', 'a:bad!', 'a:2', 'a:3'));
    expect(handled).toEqual(['a:1', 'a:bad!', 'a:2', 'a:3']);
    expect(failed).toEqual(['a:bad!']);
    expect(postponed).toEqual([['handle of a:bad!', 0]]);
  });

  test('what fails after it stops the group as ever, and both are reported', async () => {
    const { handled, failed, postponed } = await run(batchOf('a:bad!', 'a:2!', 'a:3'));
    expect(handled).toEqual(['a:bad!', 'a:2!']);
    expect(failed).toEqual(['a:bad!', 'a:2!', 'a:3']);
    expect(postponed).toEqual(expect.arrayContaining([['handle of a:2!', 4]]));
    expect(postponed).toEqual(expect.arrayContaining([['handle of a:3', 4]]));
  });
});

test('a message that cannot be postponed is reported all the same', async () => {
  const { failed } = await run(batchOf('a:1!'), { postpone: () => Promise.reject(new Error('no permission')) });
  expect(failed).toEqual(['a:1!']);
});

test('on a queue without groups every message stands alone', async () => {
  const event = batchOf('a:1!', 'a:2');
  for (const record of event.Records) delete record.attributes.MessageGroupId;
  const { handled, failed } = await run(event);
  expect(handled).toEqual(['a:1!', 'a:2']);
  expect(failed).toEqual(['a:1!']);
});

test('a handler is told how often its message has been delivered', async () => {
  const counts: number[] = [];
  const work: Options['work'] = async ({ receiveCount }) => void counts.push(receiveCount);
  await run(batchOf('a:1'), { work });
  expect(counts).toEqual([2]);
});

test('what takes longer than there is time for is reported, and what has been done beside it is not', async () => {
  const { failed, failures, postponed } = await run(batchOf('a:1', 'slow:1', 'slow:2'), {
    work: ({ body }) => (body === 'slow:1' ? new Promise(() => {}) : Promise.resolve()),
    remainingMs: 0,
  });
  expect(failed).toEqual(['slow:1', 'slow:2']);
  expect(failures).toEqual([`slow:1: ${new OutOfTime().message}`]);
  expect(postponed.map(([handle]) => handle)).toEqual(['handle of slow:1', 'handle of slow:2']);
});

test('what is to be a dead letter rests no longer, nor does what is behind it', async () => {
  const { postponed } = await run(batchOf('a:1!', 'a:2'), { maxReceives: 2 });
  expect(postponed).toEqual([
    ['handle of a:1!', 0],
    ['handle of a:2', 0],
  ]);
});

test('work is told to stop before it is waited for no longer', async () => {
  const ends: string[] = [];
  const { failures } = await run(batchOf('a:1'), {
    work: async (_, working) => {
      await new Promise((resolve) => working.addEventListener('abort', resolve));
      ends.push('told in time');
    },
    remainingMs: 3_300,
  });
  expect([ends, failures]).toEqual([['told in time'], []]);
});

describe('what no queue has sent', () => {
  test.each([undefined, null, {}, [], 'x', { Records: {} }, { Records: [null] }, { Records: [[]] }])(
    '%j is refused, and nothing is done',
    async (event) => {
      const refused = run(event as unknown as SQSEvent);
      await expect(refused).rejects.toThrow('the event is not a batch of an SQS queue');
    },
  );

  test('is handled by itself, as delivered for the first time, where it says nothing of groups and deliveries', async () => {
    const counts: number[] = [];
    const Records = [{ messageId: 'a' }, { messageId: 'b', attributes: { ApproximateReceiveCount: 'x' } }];
    const work: Options['work'] = async ({ receiveCount }) => void counts.push(receiveCount);
    expect((await run({ Records } as unknown as SQSEvent, { work })).failed).toEqual([]);
    expect(counts).toEqual([1, 1]);
  });
});

test('what is to be worked on in order may be told otherwise than by the queue', async () => {
  const groupOf = ({ body }: { body: string }) => body.at(-1) ?? '';
  const { failed } = await run(batchOf('a:1', 'a:2', 'b:!', 'c:!'), { groupOf });
  expect(failed).toEqual(['b:!', 'c:!']);
});

test('each body is read once, whatever is in it, and what was read goes with its delivery', async () => {
  const read: string[] = [];
  const contents: unknown[] = [];
  await handleBatch(batchOf('a:1', 'a:2', 'b:1'), {
    read: (body) => read.push(body),
    attempt: async ({ body, content }) => {
      contents.push([body, content]);
      return 'done';
    },
    groupOf: ({ content }) => String(content % 2),
    postpone: async () => {},
    maxReceives: 3,
  });
  expect(read).toEqual(['a:1', 'a:2', 'b:1']);
  expect(contents).toEqual([
    ['a:1', 1],
    ['a:2', 2],
    ['b:1', 3],
  ]);
});
