import { expect, test } from '@jest/globals';
import { metricDefinitions } from '../../../lib/runtime/metric-definitions.ts';
import { embeddedMetrics, type Measurement } from '../../../lib/runtime/metrics.ts';

const now = new Date('2026-03-01T12:00:00.123Z');
const measurement: Measurement = {
  name: 'TransfersFailed',
  unit: 'Count',
  value: 1,
  dimensions: { Cluster: 'main', Transfer: 'ByRequest', Reason: 'SourceLost' },
};

test('a measurement is one line with all of its dimensions, and CloudWatch makes a metric of those that are needed', () => {
  expect(embeddedMetrics([measurement], 'longshore-prod', now)).toEqual([
    {
      _aws: {
        Timestamp: now.getTime(),
        CloudWatchMetrics: [
          {
            Namespace: 'Longshore',
            Dimensions: [['Deployment']],
            Metrics: [{ Name: 'TransfersFailed', Unit: 'Count' }],
          },
        ],
      },
      Deployment: 'longshore-prod',
      Cluster: 'main',
      Transfer: 'ByRequest',
      Reason: 'SourceLost',
      TransfersFailed: 1,
    },
  ]);
});

test('what is measured with the same dimensions is one line, whether metrics are made of it, and by what', () => {
  const dimensions = { Cluster: 'main' };
  const [line, ...others] = embeddedMetrics(
    [
      { name: 'ForwarderDelay', unit: 'Seconds', value: 3, dimensions },
      { name: 'ForwarderLag', unit: 'Seconds', value: 3, dimensions },
      { name: 'UnfinishedObjects', unit: 'Count', value: 7, dimensions },
      { name: 'MessagesHandled', unit: 'Count', value: 1, dimensions },
    ],
    'longshore',
    now,
  );
  expect(others).toEqual([]);
  expect(line).toMatchObject({ ForwarderDelay: 3, ForwarderLag: 3, UnfinishedObjects: 7, MessagesHandled: 1 });
  const { CloudWatchMetrics } = (line as { _aws: { CloudWatchMetrics: object[] } })._aws;
  expect(CloudWatchMetrics).toEqual([
    {
      Namespace: 'Longshore',
      Dimensions: [['Deployment', 'Cluster']],
      Metrics: [
        { Name: 'ForwarderDelay', Unit: 'Seconds' },
        { Name: 'UnfinishedObjects', Unit: 'Count' },
      ],
    },
    { Namespace: 'Longshore', Dimensions: [['Deployment']], Metrics: [{ Name: 'MessagesHandled', Unit: 'Count' }] },
  ]);
});

test('what no metric is made of is in the log alone', () => {
  const lines = embeddedMetrics([{ ...measurement, name: 'Volumes' }], 'longshore', now);
  expect(lines).toEqual([{ Deployment: 'longshore', ...measurement.dimensions, Volumes: 1 }]);
});

test('what is measured several times is a list', () => {
  const dimensions = { Cluster: 'main', Function: 'match-claim' };
  const other = { Cluster: 'other', Function: 'match-claim' };
  const lines = embeddedMetrics(
    [
      { name: 'MessagesHandled', unit: 'Count', value: 2, dimensions },
      { name: 'MessageAge', unit: 'Milliseconds', value: [10, 20], dimensions },
      { name: 'MessageAge', unit: 'Milliseconds', value: 30, dimensions },
      { name: 'MessagesHandled', unit: 'Count', value: 1, dimensions: other },
    ],
    'longshore',
    now,
  );
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({ ...dimensions, MessagesHandled: 2, MessageAge: [10, 20, 30] });
  expect(lines[1]).toMatchObject({ ...other, MessagesHandled: 1 });
});

test('with one cluster there are at most fifteen metrics, and a further one adds two', () => {
  const sets = Object.values(metricDefinitions).flatMap(({ by }): (readonly string[])[] => [...by]);
  expect(sets.length).toBeLessThanOrEqual(15);
  expect(sets.filter((set) => set.length > 0)).toEqual([['Cluster'], ['Cluster']]);
});

test('where nothing was measured there is no line', () => {
  expect(embeddedMetrics([], 'longshore', now)).toEqual([]);
});

test('what is counted by nothing else is counted by the deployment', () => {
  const [line] = embeddedMetrics([{ ...measurement, dimensions: {} }], 'longshore-prod', now);
  expect(line).toMatchObject({
    Deployment: 'longshore-prod',
    _aws: { CloudWatchMetrics: [{ Dimensions: [['Deployment']] }] },
  });
});
