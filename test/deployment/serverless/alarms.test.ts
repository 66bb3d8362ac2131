import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { measurementsOf, type Report } from '../../../lib/capabilities/buckets/sweep/report.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import { LaterMessage } from '../../../lib/queue/unusable-message.ts';
import { BatchStats } from '../../../lib/reconcile/batch-stats.ts';
import { embeddedMetrics } from '../../../lib/runtime/metrics.ts';
import { clustersNamed, completed } from '../../support/completed-service.ts';

interface Alarm {
  AlarmName: string;
  AlarmDescription: string;
  Namespace: string;
  MetricName: string;
  Dimensions: { Name: string; Value: unknown }[];
  Threshold: number;
  TreatMissingData: string;
  AlarmActions?: string[];
}

function alarmsOf(parameters: Record<string, string> = {}): Record<string, Alarm> {
  const all = Object.entries(completed(parameters).resources.Resources);
  const alarms = all.filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm');
  return Object.fromEntries(alarms.map(([name, { Properties }]) => [name, Properties as unknown as Alarm]));
}

const alarms = alarmsOf();
const deployment = { Name: 'Deployment', Value: 'longshore-production' };
const queues = Object.keys(completed().resources.Resources).filter((name) => /(?<!DeadLetter)Queue$/.test(name));

test.each(queues)('%s has alarms for dead letters, and for messages that nobody takes', (queue) => {
  const deadLetters = queue.replace(/Queue$/, 'DeadLetterQueue');
  const ofQueue = (name: string) => [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [name, 'QueueName'] } }];
  expect(alarms[`${deadLetters}Alarm`]).toMatchObject({
    MetricName: 'ApproximateNumberOfMessagesVisible',
    Dimensions: ofQueue(deadLetters),
    Threshold: 0,
  });
  expect(alarms[`${queue}AgeAlarm`]).toMatchObject({
    MetricName: 'ApproximateAgeOfOldestMessage',
    Dimensions: ofQueue(queue),
  });
});

test.each(Object.keys(completed().functions))('%s has alarms for errors and throttles', (name) => {
  const ofIt = Object.values(alarms).filter(({ Dimensions: [dimension] }) => {
    return dimension?.Name === 'FunctionName' && dimension.Value === `longshore-production-${name}`;
  });
  expect(ofIt.map(({ MetricName }) => MetricName)).toEqual(['Errors', 'Throttles']);
});

test('silence of a forwarder is an alarm, for each cluster', () => {
  const found = alarmsOf({ clusters: clustersNamed('main', 'edge "1"') });
  const silent = Object.values(found).filter(({ TreatMissingData }) => TreatMissingData === 'breaching');
  expect(silent.map(({ MetricName, Dimensions }) => [MetricName, Dimensions])).toEqual(
    ['main', 'edge "1"'].flatMap((Value) =>
      ['ForwarderLag', 'CheckpointAge'].map((metric) => [metric, [deployment, { Name: 'Cluster', Value }]]),
    ),
  );
});

test('a forwarder that is a process elsewhere is not taken for silent', () => {
  const found = Object.values(alarmsOf({ 'forward-schedule': 'off' }));
  expect(found.filter(({ TreatMissingData }) => TreatMissingData === 'breaching')).toEqual([]);
});

test('whatever clusters are called, each alarm has a name of its own that CloudFormation takes', () => {
  const found = alarmsOf({ clusters: clustersNamed('a-b', 'a.b', 'ab', 'aB', 'a b/~') });
  expect(Object.keys(found).filter((name) => !/^[A-Za-z0-9]+$/.test(name))).toEqual([]);
  const names = Object.values(found).map(({ AlarmName }) => AlarmName);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBe(Object.keys(alarms).length + 4 * 9);
});

test('alarms of messages and stores watch what the functions count, by the same dimensions', () => {
  const stats = new BatchStats('match-transfer');
  for (const error of [new ClusterError('denied', ''), new LaterMessage(2)]) stats.failed('main', 1, error, false);
  const finding = { verdict: 'orphaned', name: 'key/1', kind: 'key', driver: 's3.longshore.dev', cluster: 'main' };
  const report = { findings: [finding], unread: { clusters: [], stores: [] } } as unknown as Report;
  const measurements = [...stats.measurements(), ...measurementsOf(report, ['s3.longshore.dev'], ['main'])];
  const counted = embeddedMetrics(measurements, deployment.Value, new Date()).flatMap((line) =>
    metricsIn(line as Line),
  );
  const watched = (metric: string, dimensions: Record<string, unknown>) => JSON.stringify([metric, dimensions]);
  const alarming = Object.values(alarms).map(({ MetricName, Dimensions }) => {
    return watched(MetricName, Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])));
  });
  const expected = [
    ['MessagesFailed', { Deployment: deployment.Value, Cluster: 'main', Reason: 'Denied' }],
    ['MessagesFailed', { Deployment: deployment.Value, Cluster: 'unknown', Reason: 'LaterMessage' }],
    ['OrphanedKeys', { Deployment: deployment.Value, driver: 's3.longshore.dev' }],
    ['StoresNotRead', { Deployment: deployment.Value, driver: 's3.longshore.dev' }],
  ] as const;
  for (const [metric, dimensions] of expected) {
    expect(counted.map(([name, by]) => watched(name, by))).toContain(watched(metric, dimensions));
    expect(alarming).toContain(watched(metric, dimensions));
  }
});

test('no alarm watches what another deployment of the account counts as well', () => {
  expect(completed().provider.environment).toMatchObject({ LONGSHORE_DEPLOYMENT: deployment.Value });
  const ours = Object.values(alarms).filter(({ Namespace }) => Namespace === 'Longshore');
  expect(ours.map(({ Dimensions: [first] }) => first)).toEqual(ours.map(() => deployment));
});

test('an alarm notifies the topic that is given, and nobody without one', () => {
  const topic = 'arn:aws:sns:eu-central-1:111122223333:night-shift';
  expect(Object.values(alarms).filter(({ AlarmActions }) => AlarmActions)).toEqual([]);
  const found = Object.values(alarmsOf({ 'alarm-topic': topic }));
  expect(found).toEqual(found.map(() => expect.objectContaining({ AlarmActions: [topic], OKActions: [topic] })));
  expect(alarmsOf({ alarms: 'off' })).toEqual({});
});

test('each description says where to read on, and that is there', async () => {
  const texts = Object.values(alarms).map(({ AlarmDescription }) => AlarmDescription);
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(1_024);
  const places = texts.map((text) => / See (docs\/[a-z-]+\.md)(?:#([a-z-]+))?\.$/.exec(text) ?? [text]);
  for (const [place, path = place, anchor] of new Map(places.map((each) => [each[0], each])).values()) {
    const headings = [
      ...(await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')).matchAll(/^#+ (.+)$/gm),
    ];
    const anchors = headings.map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect([path, ...anchors]).toContain(anchor ?? path);
  }
});

interface Line {
  _aws: { CloudWatchMetrics: { Dimensions: string[][]; Metrics: { Name: string }[] }[] };
  [dimension: string]: unknown;
}

/** The metrics that CloudWatch makes of a line: each by each of its sets of dimensions. */
function metricsIn(line: Line): [string, Record<string, unknown>][] {
  return line._aws.CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) =>
    Metrics.flatMap(({ Name }) =>
      Dimensions.map((names): [string, Record<string, unknown>] => [
        Name,
        Object.fromEntries(names.map((name) => [name, line[name]])),
      ]),
    ),
  );
}
