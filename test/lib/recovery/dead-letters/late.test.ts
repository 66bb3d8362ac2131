import { expect, test } from '@jest/globals';
import type { DeadLetter } from '../../../../lib/recovery/dead-letters/dead-letter.ts';
import { type RedriveOptions, redrive } from '../../../../lib/recovery/dead-letters/redrive.ts';
import { realClock } from '../../../../lib/runtime/clock.ts';
import { deadLetter, deadLettersOf, FakeDeadLetterQueue } from './fake-dead-letter-queue.ts';

function queueWith(...deadLetters: DeadLetter[]): FakeDeadLetterQueue {
  const queue = new FakeDeadLetterQueue();
  queue.put(...deadLetters);
  return queue;
}

function options(queue: FakeDeadLetterQueue, different: Partial<RedriveOptions> = {}): RedriveOptions {
  return {
    runId: 'run',
    choose: async (deadLetters) => deadLetters.map(() => 'move'),
    rateLimiter: { take: async (most) => most },
    clock: { ...realClock, elapsedMs: () => queue.seconds * 1000 },
    isDryRun: false,
    signal: new AbortController().signal,
    ...different,
  };
}

/** What is no message keeps its body, and so tells of which letter it is. */
const sentOf = (queue: FakeDeadLetterQueue) => queue.sent.map(({ body }) => JSON.parse(body).was);

function numbered(group: string, count: number): DeadLetter[] {
  return deadLettersOf(group, count).map((each) => ({ ...each, body: JSON.stringify({ was: each.messageId }) }));
}

test('nothing is sent twice, or out of its order, when the letters are judged more slowly than they are hidden', async () => {
  const queue = queueWith(...numbered('a', 3), ...numbered('b', 1));
  let others = 0;
  const choose: RedriveOptions['choose'] = async (deadLetters) => {
    queue.seconds += 130;
    others += (await redrive(queue, options(queue, { runId: 'other' }))).moved;
    return deadLetters.map(() => 'move');
  };
  const tally = await redrive(queue, options(queue, { choose }));
  expect(sentOf(queue)).toEqual(['a1', 'b1', 'a2', 'a3']);
  expect([others, tally.moved, tally.late, tally.behindRefused]).toEqual([4, 0, 4, 0]);
});

test('what nobody has taken meanwhile comes again in its order, and is neither judged nor counted anew', async () => {
  const queue = queueWith(...numbered('a', 3), deadLetter('done'), ...numbered('b', 1));
  const judged: string[] = [];
  const choose: RedriveOptions['choose'] = async (deadLetters) => {
    judged.push(...deadLetters.map(({ messageId }) => messageId));
    queue.seconds += 130;
    return deadLetters.map(({ messageId }) => (messageId === 'done' || messageId === 'a2' ? 'finished' : 'move'));
  };
  const tally = await redrive(queue, options(queue, { choose }));
  expect(tally).toMatchObject({ moved: 3, left: { finished: 2 }, late: 0, beyond: 0, elsewhere: 0 });
  expect(judged).toEqual(['a1', 'a2', 'a3', 'done', 'b1']);
  expect(sentOf(queue)).toEqual(['a1', 'b1', 'a3']);
  expect(queue.visible).toEqual(['a2', 'done']);
});

test('nobody else comes by a letter while the pace keeps it waiting', async () => {
  const queue = queueWith(...numbered('a', 10), ...numbered('b', 2));
  const others: DeadLetter[] = [];
  const take = async () => {
    queue.seconds += 35;
    others.push(...(await queue.receive(120)).filter(({ groupId }) => groupId === 'a'));
    return 1;
  };
  const tally = await redrive(queue, options(queue, { rateLimiter: { take } }));
  expect(others).toEqual([]);
  expect(sentOf(queue).filter((name) => name.startsWith('a'))).toEqual(numbered('a', 10).map((each) => each.messageId));
  expect(tally).toMatchObject({ moved: 10, late: 0, elsewhere: 2 });
});

test('what SQS does not hide any further is not sent, and nothing of its group before it', async () => {
  const queue = queueWith(...numbered('a', 3), ...numbered('b', 1));
  const log: string[] = [];
  const [hide, receive, send] = [queue.hide.bind(queue), queue.receive.bind(queue), queue.send.bind(queue)];
  queue.hide = async (deadLetters, seconds) => {
    const lost = deadLetters.filter(({ messageId }) => seconds > 0 && messageId === 'a2');
    return [...lost, ...(await hide(deadLetters, seconds))];
  };
  queue.receive = (seconds) => {
    log.push('receive');
    return receive(seconds);
  };
  queue.send = (messages) => {
    log.push(...messages.map(({ body }) => JSON.parse(body).was));
    return send(messages);
  };
  const choose: RedriveOptions['choose'] = async (deadLetters) => {
    queue.seconds += 50;
    return deadLetters.map(() => 'move');
  };
  const tally = await redrive(queue, options(queue, { choose }));
  expect(log).toEqual(['receive', 'a1', 'b1', 'receive', 'a2', 'a3', 'receive']);
  expect([tally.moved, tally.late]).toEqual([4, 0]);
});

test('whoever is late each time ends, and says so', async () => {
  const queue = queueWith(...numbered('a', 2));
  const take = async (most: number) => {
    queue.seconds += 1_000;
    return most;
  };
  const tally = await redrive(queue, options(queue, { rateLimiter: { take } }));
  expect([queue.sent, tally.moved, tally.late, queue.visible]).toEqual([[], 0, 2, ['a1', 'a2']]);
});

test('what is behind a letter that was sent and not deleted is not said to be refused', async () => {
  const queue = queueWith(...numbered('a', 3));
  queue.remove = async (deadLetters) => [...deadLetters];
  const tally = await redrive(queue, options(queue));
  expect(tally).toMatchObject({ twice: { length: 1 }, behindTwice: 2, refused: [], behindRefused: 0 });
});
