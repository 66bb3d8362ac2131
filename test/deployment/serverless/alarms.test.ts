import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { measurementsOf, type Report } from '../../../lib/capabilities/buckets/sweep/report.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import { LaterMessage } from '../../../lib/queue/unusable-message.ts';
import { BatchStats } from '../../../lib/reconcile/batch-stats.ts';
import { embeddedMetrics } from '../../../lib/runtime/metrics.ts';
import { type AlarmProperties, type Dimension, fires, type Series, watchedBy } from '../../support/cloudwatch.ts';
import { clustersNamed, completed } from '../../support/completed-service.ts';

function alarmsOf(parameters: Record<string, string> = {}): Record<string, AlarmProperties> {
  const all = Object.entries(completed(parameters).resources.Resources);
  const alarms = all.filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm');
  return Object.fromEntries(alarms.map(([name, { Properties }]) => [name, Properties as unknown as AlarmProperties]));
}

const requests = JSON.stringify({
  requests: [{ source: 'shop', clusters: ['main'], namespaces: ['shop'], classes: ['standard'] }],
  adoptions: [],
});
const alarms = alarmsOf();
const withRequests = alarmsOf({ 'bucket-requests': requests });
const deployment = { Name: 'Deployment', Value: 'longshore-production' };
const text = (metric: string, dimensions: readonly Dimension[]) => JSON.stringify([metric, dimensions]);
/** Each metric that an alarm watches, with the dimensions. */
const watched = (all: Record<string, AlarmProperties>) =>
  Object.values(all).flatMap((alarm) =>
    watchedBy(alarm).map(({ MetricName, Dimensions }) => text(MetricName, Dimensions)),
  );

const isFed = (parameters: Record<string, string>) =>
  Object.values(completed(parameters).functions).flatMap(({ events = [] }) =>
    events.flatMap(({ sqs }) => (sqs && sqs.enabled !== false ? [sqs.arn['Fn::GetAtt'][0]] : [])),
  );

test('there are at most ten, and one more for each further cluster', () => {
  expect(Object.keys(alarms).length).toBeLessThanOrEqual(10);
  const more = alarmsOf({ clusters: clustersNamed('main', 'edge', 'other') });
  expect(Object.keys(more).length).toBe(Object.keys(alarms).length + 2);
  // The limit of CloudWatch for one alarm.
  for (const alarm of Object.values(withRequests)) expect(watchedBy(alarm).length).toBeLessThanOrEqual(10);
});

test.each([
  [{}, alarms, 10],
  [{ 'bucket-requests': requests }, withRequests, 11],
])('with %j each queue at work is watched: its dead letters, and messages that nobody takes', (given, all, count) => {
  const queues = isFed(given);
  expect(queues).toHaveLength(count);
  const ofQueue = (name: string) => [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [name, 'QueueName'] } }];
  for (const queue of queues) {
    const deadLetters = queue.replace(/Queue$/, 'DeadLetterQueue');
    expect(watched(all)).toContain(text('ApproximateNumberOfMessagesVisible', ofQueue(deadLetters)));
    expect(watched(all)).toContain(text('ApproximateAgeOfOldestMessage', ofQueue(queue)));
  }
});

test('events that EventBridge could not deliver are watched, and those that it lost, if any may come', () => {
  const byName = [{ Name: 'QueueName', Value: { 'Fn::GetAtt': ['UndeliveredEvents', 'QueueName'] } }];
  expect(watched(withRequests)).toContain(text('ApproximateNumberOfMessagesVisible', byName));
  for (const Ref of ['BucketRequestRule', 'BucketCreationRule']) {
    const lost = text('InvocationsFailedToBeSentToDlq', [{ Name: 'RuleName', Value: { Ref } }]);
    expect(watched(withRequests)).toContain(lost);
    expect(watched(alarms)).not.toContain(lost);
  }
});

test.each(Object.keys(completed().functions).filter((name) => name !== 'forward'))(
  'errors and throttles of %s are watched',
  (name) => {
    const dimensions = [{ Name: 'FunctionName', Value: `longshore-production-${name}` }];
    for (const metric of ['Errors', 'Throttles']) expect(watched(withRequests)).toContain(text(metric, dimensions));
  },
);

test('silence of a forwarder is an alarm, for each cluster', () => {
  const found = alarmsOf({ clusters: clustersNamed('main', 'edge "1"') });
  const silent = Object.values(found).filter(({ TreatMissingData }) => TreatMissingData === 'breaching');
  expect(silent.map((alarm) => watchedBy(alarm))).toMatchObject(
    ['main', 'edge "1"'].map((Value) => [
      { MetricName: 'ForwarderDelay', Dimensions: [deployment, { Name: 'Cluster', Value }] },
    ]),
  );
});

test('a forwarder that is a process elsewhere is not taken for silent', () => {
  const found = Object.values(alarmsOf({ 'forward-schedule': 'off' }));
  expect(found.filter(({ TreatMissingData }) => TreatMissingData === 'breaching')).toEqual([]);
});

describe.each([
  { fillsNothing: true, skipsMissing: true },
  { fillsNothing: false, skipsMissing: true },
  { fillsNothing: true, skipsMissing: false },
])('if expressions are evaluated as %j says', (doubts) => {
  const silent: Series = Array(8).fill(undefined);
  const stateOf = (alarm: AlarmProperties, at: number, values: Series) =>
    fires(alarm, (metric) => (isDeepStrictEqual(metric, watchedBy(alarm)[at]) ? values : silent), doubts);

  test.each(Object.keys(withRequests))('%s fires for each of its metrics while all others have no data', (name) => {
    const alarm = withRequests[name] as AlarmProperties;
    const [bad, good] = [alarm.Threshold + 1, 0];
    for (const at of watchedBy(alarm).keys()) {
      expect(stateOf(alarm, at, Array(8).fill(bad))).toBe(true);
      expect(stateOf(alarm, at, Array(8).fill(good))).toBe(false);
      // The data of the latest period has not arrived.
      expect(stateOf(alarm, at, [...Array(7).fill(bad), undefined])).toBe(true);
    }
  });

  test.each(Object.keys(withRequests))(
    '%s does not fire where nothing has data, unless it watches for silence',
    (name) => {
      const alarm = withRequests[name] as AlarmProperties;
      expect(fires(alarm, () => silent, doubts)).toBe(alarm.TreatMissingData === 'breaching');
    },
  );

  test('a single failure of a step, and an outage of five minutes, are none', () => {
    for (const name of ['StepErrors1Alarm', 'StepThrottles1Alarm', 'OutageFailuresAlarm']) {
      const alarm = withRequests[name] as AlarmProperties;
      const once = [0, 0, 0, 0, 0, 0, alarm.Threshold + 1, 0];
      expect([name, stateOf(alarm, 0, once)]).toEqual([name, false]);
    }
  });

  test('a run that failed is one, and so is a dead letter that is there for a minute', () => {
    expect(stateOf(alarms.RunErrorsAlarm as AlarmProperties, 0, [...silent.slice(2), 1, undefined])).toBe(true);
    const deadLetters = alarms.DeadLettersAlarm as AlarmProperties;
    expect(stateOf(deadLetters, 9, [...silent.slice(2), 1, undefined])).toBe(true);
  });
});

test('whatever clusters are called, each alarm has a name of its own that CloudFormation takes', () => {
  const found = alarmsOf({ clusters: clustersNamed('a-b', 'a.b', 'ab', 'aB', 'a b/~') });
  expect(Object.keys(found).filter((name) => !/^[A-Za-z0-9]+$/.test(name))).toEqual([]);
  const names = Object.values(found).map(({ AlarmName }) => AlarmName);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBe(Object.keys(alarms).length + 4);
});

test('alarms of messages and stores watch what the functions count, by the same dimensions', () => {
  const stats = new BatchStats('match-transfer');
  const errors = [new ClusterError('denied', ''), new ClusterError('throttled', ''), new LaterMessage(2)];
  for (const error of errors) stats.failed('main', 1, error, false);
  const finding = { verdict: 'orphaned', name: 'key/1', kind: 'key', driver: 's3.longshore.dev', cluster: 'main' };
  const report = { findings: [finding], unread: { clusters: [], stores: [] } } as unknown as Report;
  const delay = { name: 'ForwarderDelay', unit: 'Seconds', value: 0, dimensions: { Cluster: 'main' } } as const;
  const measurements = [delay, ...stats.measurements(), ...measurementsOf(report, ['s3.longshore.dev'], ['main'])];
  const counted = embeddedMetrics(measurements, deployment.Value, new Date()).flatMap((line) =>
    metricsIn(line as Line),
  );
  const ours = Object.values(alarms).flatMap((alarm) =>
    watchedBy(alarm).filter(({ Namespace }) => Namespace === 'Longshore'),
  );
  expect(ours.map(({ MetricName }) => MetricName)).toEqual(
    expect.arrayContaining(['ForwarderDelay', 'UrgentFailures', 'OutageFailures', 'StoreFindings', 'StoresNotRead']),
  );
  for (const { MetricName, Dimensions } of ours) expect(counted).toContain(text(MetricName, Dimensions));
});

test('no alarm watches what another deployment of the account counts as well', () => {
  expect(completed().provider.environment).toMatchObject({ LONGSHORE_DEPLOYMENT: deployment.Value });
  const ours = Object.values(alarms).flatMap((alarm) =>
    watchedBy(alarm).filter(({ Namespace }) => Namespace === 'Longshore'),
  );
  expect(ours.map(({ Dimensions: [first] }) => first)).toEqual(ours.map(() => deployment));
});

const topic = 'arn:aws:sns:eu-central-1:111122223333:night-shift';

test('an alarm notifies the topic that is given, and nobody without one', () => {
  expect(Object.values(alarms).filter(({ AlarmActions }) => AlarmActions)).toEqual([]);
  const found = Object.values(alarmsOf({ 'alarm-topic': topic }));
  expect(found).toEqual(found.map(() => expect.objectContaining({ AlarmActions: [topic], OKActions: [topic] })));
  expect(alarmsOf({ alarms: 'off' })).toEqual({});
});

test('who is to be paged is paged by one alarm, which fires while any of the others does', () => {
  const given = { 'page-topic': topic, clusters: clustersNamed('main', 'edge "1"\\') };
  const { AnyAlarm } = completed(given).resources.Resources;
  const all = alarmsOf(given);
  const quoted = Object.values(all).map(({ AlarmName }) => JSON.stringify(AlarmName));
  expect(AnyAlarm).toMatchObject({
    Type: 'AWS::CloudWatch::CompositeAlarm',
    DependsOn: Object.keys(all),
    Properties: {
      AlarmRule: quoted.map((name) => `ALARM(${name})`).join(' OR '),
      AlarmActions: [topic],
      OKActions: [topic],
    },
  });
  expect(Object.values(all).filter(({ AlarmActions }) => AlarmActions)).toEqual([]);
  expect(completed().resources.Resources.AnyAlarm).toBeUndefined();
});

test('each description says where to read on, and that is there', async () => {
  const texts = Object.values(withRequests).map(({ AlarmDescription }) => AlarmDescription);
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(1_024);
  expect(texts.filter((each) => !/ See docs\/[a-z-]+\.md(?:#[a-z-]+)?\.$/.test(each))).toEqual([]);
  const places = new Set(texts.flatMap((each) => each.match(/docs\/[a-z-]+\.md(?:#[a-z-]+)?/g) ?? []));
  for (const place of places) {
    const [path = '', anchor] = place.split('#');
    const page = await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
    const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    if (anchor) expect(anchors).toContain(anchor);
  }
});

interface Line {
  _aws: { CloudWatchMetrics: { Dimensions: string[][]; Metrics: { Name: string }[] }[] };
  [dimension: string]: unknown;
}

/** The metrics that CloudWatch makes of a line: each by each of its sets of dimensions. */
function metricsIn(line: Line): string[] {
  return line._aws.CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) =>
    Metrics.flatMap(({ Name }) =>
      Dimensions.map((names) =>
        text(
          Name,
          names.map((each) => ({ Name: each, Value: line[each] })),
        ),
      ),
    ),
  );
}
