import { expect, test } from '@jest/globals';
import { embeddedMetrics, type Measurement } from '../../../lib/runtime/metrics.ts';

const now = new Date('2026-03-01T12:00:00.123Z');
const measurement: Measurement = {
  name: 'TransfersFailed',
  unit: 'Count',
  value: 1,
  dimensions: { Cluster: 'main', Transfer: 'ByRequest', Reason: 'SourceLost' },
};

test('a measurement is one line from which CloudWatch makes a metric of each leading part of its dimensions', () => {
  expect(embeddedMetrics([measurement], 'longshore-prod', now)).toEqual([
    {
      _aws: {
        Timestamp: now.getTime(),
        CloudWatchMetrics: [
          {
            Namespace: 'Longshore',
            Dimensions: [
              ['Deployment'],
              ['Deployment', 'Cluster'],
              ['Deployment', 'Cluster', 'Transfer'],
              ['Deployment', 'Cluster', 'Transfer', 'Reason'],
            ],
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

test('what is counted by the same is in one line, and what is measured several times is a list in it', () => {
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
  expect(lines[0]).toMatchObject({
    _aws: {
      CloudWatchMetrics: [
        {
          Metrics: [
            { Name: 'MessagesHandled', Unit: 'Count' },
            { Name: 'MessageAge', Unit: 'Milliseconds' },
          ],
        },
      ],
    },
  });
  expect(lines[1]).toMatchObject({ ...other, MessagesHandled: 1 });
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
