import { expect, test } from '@jest/globals';
import { freeDashboardMetrics } from '../../../deployment/cost/assumptions.ts';
import { type MetricName, metricDefinitions, metricNames } from '../../../lib/runtime/metric-definitions.ts';
import { clustersNamed, completed, propertiesOf, referencesIn } from '../../support/completed-service.ts';

interface Widget {
  x: number;
  y: number;
  width: number;
  height: number;
  properties: { title?: string; markdown?: string; metrics?: unknown[][]; alarms?: string[]; query?: string };
}

function widgetsOf(parameters: Record<string, string> = {}): Widget[] {
  const body = propertiesOf(completed(parameters), 'Dashboard').DashboardBody as { 'Fn::Sub': string };
  return JSON.parse(body['Fn::Sub']).widgets;
}

const widgets = widgetsOf();
const graph = (title: string) => widgets.find(({ properties }) => properties.title === title)?.properties.metrics ?? [];

test('the dashboard shows each queue, each of its dead letters, and each cluster', () => {
  const { resources } = completed();
  const queues = Object.keys(resources.Resources).filter((name) => name.endsWith('Queue'));
  const shown = [...graph('Dead letters'), ...graph('Age of the oldest message, seconds')].map(
    ([, , , queue]) => queue,
  );
  expect(shown.sort()).toEqual(queues.map((name) => `\${${name}.QueueName}`).sort());
  expect(graph('Forwarder: how far behind, seconds')).toEqual([
    ['Longshore', 'ForwarderDelay', 'Deployment', 'longshore-production', 'Cluster', 'main'],
  ]);
});

test('with a few clusters it is free: it has at most fifty metrics', () => {
  const several = widgetsOf({ clusters: clustersNamed('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h') });
  const metrics = several.flatMap(({ properties }) => properties.metrics ?? []);
  expect(metrics.length).toBeLessThanOrEqual(freeDashboardMetrics);
});

test('every metric of ours is one that is published, by the same dimensions', () => {
  const ours = widgets.flatMap(({ properties }) => properties.metrics ?? []).filter(([from]) => from === 'Longshore');
  for (const [, name, ...dimensions] of ours) {
    const names = dimensions.filter((_, index) => index % 2 === 0 && index > 0);
    expect(metricDefinitions[name as MetricName].by).toContainEqual(names);
  }
  expect(ours.length).toBeGreaterThan(5);
});

test('it shows each alarm, by its name', () => {
  const [shown] = widgets.flatMap(({ properties }) => (properties.alarms ? [properties.alarms] : []));
  const alarms = Object.values(completed().resources.Resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
  const arn = `arn:\${AWS::Partition}:cloudwatch:\${AWS::Region}:\${AWS::AccountId}:alarm:`;
  expect(shown).toEqual(alarms.map(({ Properties }) => `${arn}${Properties.AlarmName}`));
  expect(widgetsOf({ alarms: 'off' }).filter(({ properties }) => properties.alarms)).toEqual([]);
});

test('tables from the log have what no metric is made of, and read the logs that there are', () => {
  const queries = widgets.flatMap(({ properties: { query } }) => (query ? [query] : []));
  const read = new Set(queries.flatMap((query) => [...query.matchAll(/SOURCE '([^']+)'/g)].map(([, group]) => group)));
  const groups = Object.keys(completed().functions).map((name) => `/aws/lambda/longshore-production-${name}`);
  expect([...read].sort()).toEqual(groups.sort());
  const named = queries.flatMap(
    (query) => query.match(/\b(?:Messages|Cluster|Forwarder|Checkpoint|Volumes)[A-Z]\w+/g) ?? [],
  );
  expect(named.filter((name) => !metricNames.some((known) => known === name))).toEqual([]);
  expect(named).toEqual(expect.arrayContaining(['MessagesFailed', 'VolumesKept', 'ForwarderLag']));
});

test('what is not deployed has no graph', () => {
  const titles = (parameters: Record<string, string>) =>
    widgetsOf(parameters).map(({ properties }) => properties.title);
  expect(titles({})).toContain('Stores');
  expect(titles({ capabilities: 'transfers' })).not.toContain('Stores');
});

test('no graph lies over another', () => {
  const cells = widgets.flatMap(({ x, y, width, height }) =>
    Array.from({ length: width * height }, (_, index) => `${x + (index % width)},${y + Math.floor(index / width)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

test('what a cluster is called is no reference to a resource', () => {
  const made = completed({ clusters: clustersNamed('$' + '{Secret}') });
  expect(referencesIn(propertiesOf(made, 'Dashboard'))).not.toContain('Secret');
});
