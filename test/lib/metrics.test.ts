import { afterEach, expect, jest, test } from '@jest/globals';
import { consoleLog } from '../../lib/log.ts';
import { embeddedMetric, type Measurement } from '../../lib/metrics.ts';

const now = new Date('2026-03-01T12:00:00.123Z');
const measurement: Measurement = {
  name: 'TransfersFailed',
  unit: 'Count',
  value: 1,
  dimensions: { Cluster: 'main', Transfer: 'ByRequest', Reason: 'SourceLost' },
};

afterEach(() => {
  jest.restoreAllMocks();
});

test('a measurement is one line from which CloudWatch makes a metric of each leading part of its dimensions', () => {
  expect(JSON.parse(embeddedMetric(measurement, now))).toEqual({
    _aws: {
      Timestamp: now.getTime(),
      CloudWatchMetrics: [
        {
          Namespace: 'Longshore',
          Dimensions: [['Cluster'], ['Cluster', 'Transfer'], ['Cluster', 'Transfer', 'Reason']],
          Metrics: [{ Name: 'TransfersFailed', Unit: 'Count' }],
        },
      ],
    },
    Cluster: 'main',
    Transfer: 'ByRequest',
    Reason: 'SourceLost',
    TransfersFailed: 1,
  });
  expect(embeddedMetric(measurement, now)).not.toContain('\n');
});

test('each dimension that is named has a value, and so has the metric', () => {
  const line = JSON.parse(
    embeddedMetric({ ...measurement, name: 'TransferDuration', unit: 'Milliseconds', value: 0 }, now),
  );
  const [{ Dimensions, Metrics }] = line._aws.CloudWatchMetrics;
  for (const name of [...Dimensions.flat(), ...Metrics.map(({ Name }: { Name: string }) => Name)]) {
    expect(line).toHaveProperty(name);
  }
});

test('the log writes it with what it always says, which is no dimension', () => {
  const lines: string[] = [];
  jest.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)));
  const log = consoleLog({ function: 'match-claim' });
  log.measure(measurement);
  log.info('reconciled', { reason: 'Complete' });
  const [measured, told] = lines.map((line) => JSON.parse(line));
  expect(measured).toMatchObject({ TransfersFailed: 1, Cluster: 'main' });
  expect(measured).toMatchObject({ function: 'match-claim', message: 'measured' });
  expect(measured._aws.CloudWatchMetrics[0].Dimensions.flat()).not.toContain('function');
  expect(told).toMatchObject({ level: 'info', message: 'reconciled', function: 'match-claim', reason: 'Complete' });
});
