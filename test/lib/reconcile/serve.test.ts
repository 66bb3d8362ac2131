import { describe, expect, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import type { Cluster } from '../../../lib/kubernetes/cluster.ts';
import { UnknownCluster } from '../../../lib/kubernetes/clusters.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { type Key, resources } from '../../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../../lib/queue/message.ts';
import type { Invocation } from '../../../lib/reconcile/deliveries.ts';
import type { Runtime } from '../../../lib/reconcile/handler-runtime.ts';
import { createHandler } from '../../../lib/reconcile/serve.ts';
import type { Decision } from '../../../lib/reconcile/step.ts';
import type { LogFields } from '../../../lib/runtime/log.ts';
import type { Measurement } from '../../../lib/runtime/metrics.ts';
import { type CountWorld, countTo, FakeCluster, key, now } from './fake-step.ts';

const maxReceives = 5;

function messageFor(resource: Resource, receiveCount = 1, about: Key = key): SQSEvent {
  const cause = { uid: 'u', resourceVersion: '1', type: 'add' as const };
  const { body } = buildMessage({ cluster: 'main', function: 'count', resource, key: about, cause, time: now() });
  return eventOf(body, receiveCount);
}

function eventOf(body: string, receiveCount = 1, groupId = 'group'): SQSEvent {
  const attributes = { MessageGroupId: groupId, ApproximateReceiveCount: String(receiveCount) };
  return { Records: [{ messageId: 'id-1', receiptHandle: 'handle', body, attributes }] } as unknown as SQSEvent;
}

async function run(event: SQSEvent, cluster: Cluster | Error, step = countTo(1), invocation: Invocation = {}) {
  const log: [string, string, LogFields][] = [];
  const measured: Measurement[] = [];
  const forgotten: string[] = [];
  const postponed: number[] = [];
  const runtime: Runtime = {
    cluster: () => (cluster instanceof Error ? Promise.reject(cluster) : Promise.resolve(cluster)),
    forgetCredentials: (name) => void forgotten.push(name),
    postpone: async (_, seconds) => void postponed.push(seconds),
    maxReceives,
    log: {
      info: (message, fields = {}) => void log.push(['info', message, fields]),
      error: (message, fields = {}) => void log.push(['error', message, fields]),
      measure: (...measurements) => void measured.push(...measurements),
    },
    now,
  };
  const answer = await createHandler(step, runtime)(event, invocation);
  return { failed: answer.batchItemFailures.map((item) => item.itemIdentifier), log, measured, forgotten, postponed };
}

test('a message is reconciled, and the log says what came of it', async () => {
  const { failed, log } = await run(messageFor(resources.claim), new FakeCluster());
  expect(failed).toEqual([]);
  expect(log.map(([level, message]) => `${level} ${message}`)).toEqual(['info write', 'info reconciled']);
  expect(log.at(-1)?.[2]).toMatchObject({ cluster: 'main', key: 'prod/data', outcome: 'done', reason: 'Counted' });
});

describe('the group of a message', () => {
  const body = (about: Key) => messageFor(resources.claim, 1, about).Records[0]?.body ?? '';
  const own = `main/${key.namespace}/${key.name}`;
  const elsewhere = { namespace: 'attacker', name: 'never-there' };

  test.each([
    ['another key', own, elsewhere],
    ['a key of the same namespace', own, { namespace: key.namespace ?? '', name: 'other' }],
    ['a key of another cluster', `other/${key.namespace}/${key.name}`, key],
    ['a key whose name is hashed', 'a'.repeat(64), elsewhere],
  ])(
    'a message in the group of %s is reported without a pause, and nothing is done for it',
    async (_, group, about) => {
      const cluster = new FakeCluster(new ClusterError('unreachable', 'away'));
      const { failed, log, postponed } = await run(eventOf(body(about), 1, group), cluster);
      expect([failed, cluster.calls]).toEqual([['id-1'], []]);
      expect(log).toMatchObject([['error', 'message failed', { reason: 'Malformed' }]]);
      expect(postponed).toEqual([0]);
    },
  );

  test.each([
    ['of its own', own],
    ['of no key, as messages by hand may have', 'by-hand'],
  ])('a message in a group %s is reconciled', async (_, group) => {
    const { failed, log } = await run(eventOf(body(key), 1, group), new FakeCluster());
    expect([failed, log.at(-1)?.[1]]).toEqual([[], 'reconciled']);
  });

  test('a key of a name that is too long for a group has a hash for one, and is reconciled', async () => {
    const long = { namespace: 'prod', name: 'n'.repeat(200) };
    const { groupId } = buildMessage({
      cluster: 'main',
      function: 'count',
      resource: resources.claim,
      key: long,
      cause: { uid: 'u', resourceVersion: '1', type: 'add' },
      time: now(),
    });
    expect(groupId).toMatch(/^[0-9a-f]{64}$/);
    const { log } = await run(eventOf(body(long), 1, groupId), new FakeCluster());
    expect(log.map(([, message]) => message)).not.toContain('message failed');
  });

  test('a message of a later version is reported without a pause, and what follows it in its group is reconciled', async () => {
    const good = body(key);
    const later = JSON.stringify({ ...JSON.parse(good), messageversion: 99 });
    const records = [later, good].map((text, index) => {
      const [record] = eventOf(text, 1, own).Records;
      return { ...record, messageId: `id-${index}` };
    });
    const { failed, log, postponed } = await run({ Records: records } as SQSEvent, new FakeCluster());
    expect([failed, postponed]).toEqual([['id-0'], [0]]);
    expect(log.map(([, message]) => message)).toEqual(['message failed', 'write', 'reconciled']);
  });
});

test.each([
  [
    'a message about another kind',
    messageFor(resources.pod),
    'count reconciles PersistentVolumeClaim of v1, not "Pod" of "v1"',
  ],
  ['what is no message', eventOf('hello'), 'malformed message: it is not JSON'],
])('%s is reported, logged, not postponed, and no call is made', async (_, event, error) => {
  const cluster = new FakeCluster();
  const { failed, log, postponed } = await run(event, cluster);
  expect([failed, cluster.calls]).toEqual([['id-1'], []]);
  expect(log).toHaveLength(1);
  const said = { messageId: 'id-1', delivery: 1, reason: 'Malformed', error: expect.stringContaining(error) };
  expect(log[0]).toMatchObject(['error', 'message failed', said]);
  expect(postponed.filter((seconds) => seconds > 0)).toEqual([]);
});

test.each([
  ['that lacks its namespace', countTo(1), resources.claim, { name: 'data' }, 'PersistentVolumeClaim data lacks a'],
  [
    'that has a namespace too many',
    countTo(1, { resource: resources.volume }),
    resources.volume,
    { namespace: 'prod', name: 'volume-1' },
    'PersistentVolume volume-1 has no',
  ],
])('a message about an object %s is malformed', async (_, step, resource, key, error) => {
  const cluster = new FakeCluster();
  const { failed, log } = await run(messageFor(resource, 1, key), cluster, step);
  expect([failed, cluster.calls]).toEqual([['id-1'], []]);
  expect(log[0]?.[2]).toMatchObject({ error: `malformed message: ${error} namespace` });
});

test('a malformed message does not hold up its neighbours in the group', async () => {
  const [good] = messageFor(resources.claim).Records;
  const [bad] = eventOf('hello').Records;
  if (!good || !bad) throw new Error('no records');
  const Records = [
    { ...bad, messageId: 'bad' },
    { ...good, messageId: 'good' },
  ];
  const cluster = new FakeCluster();
  const { failed, postponed } = await run({ Records }, cluster);
  expect([failed, cluster.calls]).toEqual([['bad'], ['patch']]);
  expect(postponed.filter((seconds) => seconds > 0)).toEqual([]);
});

test('a message from an unknown cluster is reported, logged and not postponed', async () => {
  const { failed, log, postponed } = await run(
    messageFor(resources.claim),
    new UnknownCluster('cluster "main" is not configured'),
  );
  expect(failed).toEqual(['id-1']);
  expect(log[0]?.[2]).toMatchObject({ error: 'cluster "main" is not configured' });
  expect(postponed.filter((seconds) => seconds > 0)).toEqual([]);
});

test('a cluster that cannot be reached now is tried again later', async () => {
  const { failed, postponed } = await run(messageFor(resources.claim, 2), new ClusterError('unreachable', 'no answer'));
  expect([failed, postponed]).toEqual([['id-1'], [4]]);
});

test('before the last delivery a failure is not told on the object', async () => {
  const cluster = new FakeCluster(new ClusterError('denied', 'no'));
  await run(messageFor(resources.claim, maxReceives - 1), cluster);
  expect(cluster.calls).toEqual(['patch']);
});

test('at the last delivery the object says that we gave up, and the message is reported as failed', async () => {
  const cluster = new FakeCluster(new ClusterError('denied', 'no'));
  const { failed } = await run(messageFor(resources.claim, maxReceives), cluster);
  expect(failed).toEqual(['id-1']);
  expect(cluster.claim.metadata.annotations).toEqual({ count: '-1' });
});

test('a failure that cannot be told is the one that is reported', async () => {
  const cluster = new FakeCluster(new ClusterError('denied', 'first'), new ClusterError('denied', 'second'));
  const { failed, log } = await run(messageFor(resources.claim, maxReceives), cluster);
  expect(failed).toEqual(['id-1']);
  expect(log.at(-1)?.[2]).toMatchObject({ error: 'first' });
});

describe('when a cluster is too slow for the time of a batch', () => {
  /** It answers the first read only when it is let. */
  function slowCluster() {
    const cluster = new FakeCluster();
    const answering = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const { get } = cluster;
    let reads = 0;
    cluster.get = async () => {
      reads += 1;
      if (reads > 1) return get();
      await answering.promise;
      setImmediate(answered.resolve);
      return get();
    };
    const letAnswer = () => {
      answering.resolve();
      return answered.promise;
    };
    return { cluster, letAnswer };
  }
  const invocation = { getRemainingTimeInMillis: () => 3_300 };

  test('its object says so at the last delivery', async () => {
    const { cluster } = slowCluster();
    const { failed, log } = await run(messageFor(resources.claim, maxReceives), cluster, countTo(1), invocation);
    expect([failed, cluster.claim.metadata.annotations]).toEqual([['id-1'], { count: '-1' }]);
    expect(log.at(-1)?.[2]).toMatchObject({ reason: 'Unreachable' });
  });

  test('nothing is written any more, whenever its answer comes', async () => {
    const { cluster, letAnswer } = slowCluster();
    const { failed } = await run(messageFor(resources.claim), cluster, countTo(1), invocation);
    await letAnswer();
    expect([failed, cluster.calls]).toEqual([['id-1'], []]);
  });
});

test('credentials that are no longer accepted are forgotten, and no others', async () => {
  const unauthorized = await run(
    messageFor(resources.claim),
    new FakeCluster(new ClusterError('unauthorized', 'expired')),
  );
  expect([unauthorized.failed, unauthorized.forgotten]).toEqual([['id-1'], ['main']]);
  const denied = await run(messageFor(resources.claim), new FakeCluster(new ClusterError('denied', 'no')));
  expect(denied.forgotten).toEqual([]);
});

test('what is counted goes to the log, by its cluster first', async () => {
  const dimensions = { Transfer: 'ByRequest' };
  const measure = [{ name: 'TransfersStarted' as const, unit: 'Count' as const, value: 1, dimensions }];
  const plain = countTo(1);
  const decide = (world: CountWorld, at: Date): Decision<CountWorld> => {
    const decision = plain.decide(world, at);
    return decision.do === 'write' ? { do: 'write', write: { ...decision.write, measure } } : decision;
  };
  const { measured } = await run(messageFor(resources.claim), new FakeCluster(), countTo(1, { decide }));
  expect(measured[0]).toEqual({ ...measure[0], dimensions: { Cluster: 'main', Transfer: 'ByRequest' } });
  expect(Object.keys(measured[0]?.dimensions ?? {})).toEqual(['Cluster', 'Transfer']);
});
