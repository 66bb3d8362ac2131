import { describe, expect, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { UnknownCluster } from '../../../lib/kubernetes/clusters.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { buildMessage, sentAgain } from '../../../lib/queue/message.ts';
import type { Runtime } from '../../../lib/reconcile/handler-runtime.ts';
import { createHandler } from '../../../lib/reconcile/serve.ts';
import type { LogFields } from '../../../lib/runtime/log.ts';
import type { Measurement } from '../../../lib/runtime/metrics.ts';
import type { ChangeTrace } from '../../../lib/runtime/tracing.ts';
import { conflict, countTo, FakeCluster, key, now } from './fake-step.ts';

const maxReceives = 5;
const ageMs = 1_500;

const cause = { uid: 'u', resourceVersion: '1', type: 'add' as const };
const time = new Date(now().getTime() - ageMs);
const message = buildMessage({ cluster: 'main', function: 'count', resource: resources.claim, key, cause, time });
const { id, traceparent } = JSON.parse(message.body);

interface Sent {
  body?: string;
  receiveCount?: number;
  messageId?: string;
  sentAt?: number | undefined;
}

async function run(sent: Sent[], cluster: FakeCluster | Error = new FakeCluster(), goal = 1, isDebug = false) {
  const lines: LogFields[] = [];
  const measured: Measurement[] = [];
  const traces: ChangeTrace[] = [];
  const write = (text: string, fields: LogFields = {}) => void lines.push({ message: text, ...fields });
  const runtime: Runtime = {
    cluster: async (_, trace) => {
      traces.push(trace);
      if (cluster instanceof Error) throw cluster;
      return cluster;
    },
    forgetCredentials: () => {},
    postpone: async () => {},
    maxReceives,
    log: {
      debug: isDebug ? write : undefined,
      info: write,
      error: write,
      measure: (...measurements) => void measured.push(...measurements),
    },
    now,
  };
  const Records = sent.map(({ body = message.body, receiveCount = 1, messageId = 'id-1', ...rest }) => {
    const { sentAt = now().getTime() } = rest;
    const attributes = {
      MessageGroupId: 'group',
      ApproximateReceiveCount: String(receiveCount),
      SentTimestamp: String(sentAt),
    };
    return { messageId, receiptHandle: 'handle', body, attributes };
  });
  await createHandler(countTo(goal), runtime)({ Records } as unknown as SQSEvent, { awsRequestId: 'request-1' });
  return { lines, measured, traces };
}

const statsOf = (measured: Measurement[]) => Object.fromEntries(measured.map(({ name, value }) => [name, value]));
const without = (field: string, value?: unknown) => JSON.stringify({ ...JSON.parse(message.body), [field]: value });

describe('each line', () => {
  const always = {
    requestId: 'request-1',
    messageId: 'id-1',
    delivery: 1,
    trace: traceparent.split('-')[1],
    correlation: id,
  };
  const about = { cluster: 'main', kind: 'PersistentVolumeClaim', key: 'prod/data' };

  test('says which change it belongs to, and a write which object was written', async () => {
    const { lines } = await run([{}]);
    const object = 'PersistentVolumeClaim prod/data';
    expect(lines).toEqual([
      { message: 'write', ...always, ...about, object, write: 'patch', result: 'ok', milliseconds: 0 },
      { message: 'reconciled', ...always, ...about, object, outcome: 'done', reason: 'Counted', milliseconds: 0 },
    ]);
  });

  test('says it of a failure too, with the class of the error', async () => {
    const { lines } = await run([{ receiveCount: 3 }], new FakeCluster(new ClusterError('denied', 'not you')));
    const said = { reason: 'Denied', error: 'not you' };
    expect(lines.at(-1)).toMatchObject({ message: 'message failed', ...always, ...about, delivery: 3, ...said });
  });

  test('says of a mistake of ours where it was made, and of what others answer no more than that', async () => {
    const mistaken = await run([{}], new FakeCluster(new TypeError('not a function')));
    expect(mistaken.lines.at(-1)).toMatchObject({
      message: 'message failed',
      reason: 'Mistake',
      error: 'not a function',
      stack: expect.stringMatching(/^TypeError: not a function\n\s+at .*deliveries\.test\.ts:\d+:\d+/),
    });
    const denied = await run([{}], new FakeCluster(new ClusterError('denied', 'not you')));
    expect(denied.lines.at(-1)?.stack).toBeUndefined();
  });

  test('says at level debug what was decided, and of each failure where it came from', async () => {
    const { lines } = await run([{}], new FakeCluster(), 1, true);
    const object = 'PersistentVolumeClaim prod/data';
    const write = { slot: 'claim', write: 'patch', object };
    expect(lines).toMatchObject([
      { message: 'decided', ...always, ...about, turn: 0, decided: 'write', ...write },
      { message: 'write' },
      { message: 'decided', ...always, ...about, turn: 1, decided: 'done', reason: 'Counted' },
      { message: 'reconciled' },
    ]);
    const denied = await run([{}], new FakeCluster(new ClusterError('denied', 'not you')), 1, true);
    expect(denied.lines.at(-1)?.stack).toMatch(/^ClusterError: not you\n\s+at .*deliveries\.test\.ts/);
  });

  test('says by which run a message was sent again', async () => {
    const { lines } = await run([{ body: sentAgain(message, 'run-7').body }]);
    for (const line of lines) expect(line).toMatchObject({ ...always, runId: 'run-7' });
  });

  test('says what is known of a message that cannot be worked on', async () => {
    const { lines } = await run([{ body: without('kind', 'Pod') }]);
    expect(lines).toMatchObject([{ message: 'message failed', ...always, cluster: 'main', reason: 'Malformed' }]);
  });

  test.each(['id', 'runid'])('does not repeat a %s that is more than a name', async (field) => {
    const { lines } = await run([{ body: without(field, 'Bearer abc\n{"level":"info"}') }]);
    expect(JSON.stringify(lines)).not.toContain('Bearer');
  });
});

describe('the trace', () => {
  test('is that of the message, whoever is called', async () => {
    const { traces } = await run([{}]);
    expect(traces).toEqual([{ id: traceparent.split('-')[1], flags: '01' }]);
  });

  test.each([undefined, 'nonsense', '00-00000000000000000000000000000000-00f067aa0ba902b7-01', 7])(
    'is a new one where the message has %j, and the same at each delivery',
    async (given) => {
      const sent = { body: without('traceparent', given) };
      const [first] = (await run([sent])).traces;
      const [again] = (await run([{ ...sent, receiveCount: 2 }])).traces;
      const [other] = (await run([{ ...sent, messageId: 'id-2' }])).traces;
      expect(first?.id).toMatch(/^[0-9a-f]{32}$/);
      expect(again).toEqual(first);
      expect(other).not.toEqual(first);
    },
  );
});

describe('what is counted', () => {
  test('comes at the end of a batch, by cluster and function', async () => {
    const { measured } = await run([{}, { messageId: 'id-2', receiveCount: 2 }], undefined, 2);
    for (const { dimensions } of measured) expect(dimensions).toEqual({ Cluster: 'main', Function: 'count' });
    expect(statsOf(measured)).toEqual({
      MessagesHandled: 2,
      MessagesGivenUp: 0,
      MessageDeliveries: [1, 2],
      MessageAge: [ageMs, ageMs],
      ClusterWrites: 2,
      ClusterConflicts: 0,
    });
  });

  test('is of each write whether it came too late', async () => {
    const { measured } = await run([{}], new FakeCluster(conflict()));
    expect(statsOf(measured)).toMatchObject({ ClusterWrites: 1, ClusterConflicts: 1 });
  });

  test.each([
    ['of 1970', '1970-01-01T00:00:00Z', 3_600_000 + 2_000],
    ['of the year 9999', '9999-12-31T23:59:59Z', 0],
  ])('is no age that the queue does not bear out: of a message %s', async (_, time, expected) => {
    const sent = { body: without('time', time), sentAt: now().getTime() - 2_000 };
    expect(statsOf((await run([sent])).measured).MessageAge).toEqual([expected]);
  });

  test('is no age where nobody says when the message came to the queue', async () => {
    expect(statsOf((await run([{ sentAt: Number.NaN }])).measured)).not.toHaveProperty('MessageAge');
  });

  test('is no age where the change was long ago, or is not known', async () => {
    for (const body of [sentAgain(message, 'run-7').body, without('time'), without('time', 'yesterday')]) {
      expect(statsOf((await run([{ body }])).measured)).not.toHaveProperty('MessageAge');
    }
  });

  test.each([
    ['Denied', new FakeCluster(new ClusterError('denied', 'no'))],
    ['Unauthorized', new FakeCluster(new ClusterError('unauthorized', 'no'))],
    ['Throttled', new FakeCluster(new ClusterError('throttled', 'no'))],
    ['Unreachable', new FakeCluster(new ClusterError('unreachable', 'no'))],
    ['Contended', new FakeCluster(...Array.from({ length: 5 }, conflict))],
    ['Mistake', new FakeCluster(new TypeError('no'))],
    ['NoAccess', new Error('no secret of that name')],
    ['Unreachable', new ClusterError('unreachable', 'no')],
  ])('is of a failure its reason: %s', async (reason, cluster) => {
    const { measured } = await run([{ receiveCount: 2 }], cluster);
    const failed = measured.filter(({ name }) => name === 'MessagesFailed');
    expect(failed).toMatchObject([{ value: 1, dimensions: { Cluster: 'main', Function: 'count', Reason: reason } }]);
    expect(statsOf(measured)).toMatchObject({ MessagesHandled: 0, MessagesGivenUp: 0, MessageDeliveries: [2] });
    const watched = measured.filter(({ name }) => name === 'UrgentFailures' || name === 'OutageFailures');
    const urgent = ['Denied', 'Rejected', 'Mistake'];
    const ended = ['Contended', 'Retry', 'Oversized'];
    const expected = urgent.includes(reason) ? ['UrgentFailures'] : ended.includes(reason) ? [] : ['OutageFailures'];
    expect(watched.map(({ name }) => name)).toEqual(expected);
    expect(watched).toMatchObject(expected.map(() => ({ value: 1, dimensions: { Reason: reason } })));
  });

  test.each([
    ['Malformed', {}, undefined],
    ['LaterMessage', { body: without('messageversion', 99) }, undefined],
    ['UnknownCluster', { body: without('source', 'Bearer abc') }, new UnknownCluster('which?')],
  ])('is %s of no cluster that a message only claims to be from', async (reason, sent, cluster) => {
    const { measured } = await run([{ body: without('kind', 'Pod'), ...sent }], cluster);
    expect(measured.filter(({ name }) => name === 'UrgentFailures')).toHaveLength(1);
    expect(measured.find(({ name }) => name === 'MessagesFailed')?.dimensions).toEqual({
      Cluster: 'unknown',
      Function: 'count',
      Reason: reason,
    });
    expect(JSON.stringify(measured)).not.toContain('Bearer');
  });

  test('is what is given up, at the last delivery', async () => {
    const cluster = new FakeCluster(new ClusterError('denied', 'no'));
    const { measured } = await run([{ receiveCount: maxReceives }], cluster);
    expect(statsOf(measured)).toMatchObject({ MessagesGivenUp: 1, MessagesFailed: 1 });
  });
});
