import { expect, test } from '@jest/globals';
import { clustersNamed, completed, propertiesOf, referencesIn } from '../../support/completed-service.ts';

interface Widget {
  x: number;
  y: number;
  width: number;
  height: number;
  properties: { title?: string; markdown?: string; metrics?: unknown[][] };
}

function widgetsOf(parameters: Record<string, string> = {}): Widget[] {
  const body = propertiesOf(completed(parameters), 'Dashboard').DashboardBody as { 'Fn::Sub': string };
  return JSON.parse(body['Fn::Sub']).widgets;
}

const widgets = widgetsOf();
const graph = (title: string) => widgets.find(({ properties }) => properties.title === title)?.properties.metrics ?? [];

test('the dashboard shows each queue, each of its dead letters, each function and each cluster', () => {
  const { functions, resources } = completed();
  const queues = Object.keys(resources.Resources).filter((name) => name.endsWith('Queue'));
  const shown = [...graph('Dead letters'), ...graph('Messages waiting')].map(([, , , queue]) => queue);
  expect(shown.sort()).toEqual(queues.map((name) => `\${${name}.QueueName}`).sort());
  expect(graph('Errors').map(([, , , name]) => name)).toEqual(
    Object.keys(functions).map((name) => `longshore-production-${name}`),
  );
  expect(graph('Forwarder: lag, seconds')).toEqual([
    ['Longshore', 'ForwarderLag', 'Deployment', 'longshore-production', 'Cluster', 'main'],
  ]);
});

test('failures are shown by reason, and what the daily comparison finds by driver', () => {
  const [[reasons] = []] = graph('Messages failed, by reason');
  expect(reasons).toMatchObject({ expression: expect.stringContaining('{Longshore,Deployment,Cluster,Reason}') });
  const searched = widgets
    .flatMap(({ properties }) => properties.metrics ?? [])
    .flatMap(([metric]) => {
      return typeof metric === 'object' && metric !== null && 'expression' in metric ? [metric.expression] : [];
    });
  const ours = expect.stringContaining('Deployment="longshore-production"');
  expect(searched).toEqual(Array(7).fill(ours));
  expect(graph('Orphaned, missing and not read in the stores')).toHaveLength(6);
  const without = widgetsOf({ capabilities: 'transfers' }).map(({ properties }) => properties.title);
  expect(without).not.toContain('Orphaned, missing and not read in the stores');
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
