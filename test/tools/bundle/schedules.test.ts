import { expect, test } from '@jest/globals';
import { scheduleEachCluster } from '../../../tools/bundle/schedules.ts';

type Service = Parameters<typeof scheduleEachCluster>[0];

function serviceOf(clusters: unknown, forwardSchedule: unknown = 'on'): Service {
  return {
    custom: { forwardSchedule },
    provider: { environment: { LONGSHORE_CLUSTERS: clusters } },
    functions: { forward: { events: [{ schedule: 'rate(1 minute)' }], reservedConcurrency: 2 } },
  };
}

test('each cluster has a schedule of its own, and room for two runs', () => {
  const service = serviceOf(JSON.stringify([{ name: 'main' }, { name: 'edge "1"' }]));
  scheduleEachCluster(service);
  expect(service.functions.forward).toEqual({
    events: ['main', 'edge "1"'].map((cluster) => ({ schedule: { rate: ['rate(1 minute)'], input: { cluster } } })),
    reservedConcurrency: 4,
  });
});

test.each([
  [undefined, 'the parameter clusters is missing'],
  ['no JSON', 'the parameter clusters must be a JSON array of at least one cluster'],
  ['[]', 'the parameter clusters must be a JSON array of at least one cluster'],
  ['[{"name":"main"},{}]', 'the parameter clusters has a cluster without a name'],
  ['[null]', 'the parameter clusters has a cluster without a name'],
])('%j is refused with an example of what is right', (clusters, problem) => {
  expect(() => scheduleEachCluster(serviceOf(clusters))).toThrow(`${problem}: --param clusters='[{"name":"main"`);
});

test('where a process forwards, no run is started', () => {
  const service = serviceOf('[{"name":"main"}]', 'off');
  scheduleEachCluster(service);
  expect(service.functions.forward?.events).toEqual([]);
});

test.each([null, 'yes', true])('whether runs are started is not said by %j', (setting) => {
  expect(() => scheduleEachCluster(serviceOf('[{"name":"main"}]', setting))).toThrow(
    'the parameter forward-schedule must be on or off',
  );
});
