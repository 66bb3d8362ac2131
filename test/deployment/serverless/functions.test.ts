import { expect, test } from '@jest/globals';
import { refuseTooManyVariables } from '../../../deployment/serverless/environment-size.ts';
import { clustersNamed, completed } from '../../support/completed-service.ts';

test('each cluster has a schedule of its own, and room for two runs', () => {
  const made = completed({ clusters: clustersNamed('main', 'edge "1"') });
  expect(made.functions.forward).toMatchObject({
    events: ['main', 'edge "1"'].map((cluster) => ({ schedule: { rate: ['rate(1 minute)'], input: { cluster } } })),
    reservedConcurrency: 4,
  });
  expect(made.resources.Outputs.ClusterNames).toEqual({ Value: '["main","edge \\"1\\""]' });
});

test('several clusters can have a run together, which is cheaper, and then there is room for three', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const made = completed({ clusters: clustersNamed(...names), 'forward-clusters-per-run': '2' });
  const inputs = [{ clusters: ['a', 'b'] }, { clusters: ['c', 'd'] }, { cluster: 'e' }];
  expect(made.functions.forward).toMatchObject({
    events: inputs.map((input) => ({ schedule: { rate: ['rate(1 minute)'], input } })),
    reservedConcurrency: 3 + 3 + 2,
  });
});

test('more names of clusters than an output can hold are left out', () => {
  const names = Array.from({ length: 8 }, (_, index) => `${index}-${'x'.repeat(126)}`);
  expect(completed({ clusters: clustersNamed(...names) }).resources.Outputs.ClusterNames).toBeUndefined();
});

test('where a process forwards, and nothing is told again each hour, neither is started', () => {
  const made = completed({ 'forward-schedule': 'off', 'resync-schedule': 'off' });
  expect([made.functions.forward?.events, made.functions.resync?.events]).toEqual([[], []]);
});

test.each([
  ['scheduled', 2, 1, undefined],
  ['all', 2, 1, 7],
  ['none', undefined, undefined, undefined],
])('with reserved-concurrency=%s executions are set aside for those', (whose, forward, sweep, step) => {
  const made = completed({ 'reserved-concurrency': whose, 'step-maximum-concurrency': '7' });
  const reserved = (name: string) => made.functions[name]?.reservedConcurrency;
  expect([reserved('forward'), reserved('sweep-buckets'), reserved('rebind-volume')]).toEqual([forward, sweep, step]);
  const [{ sqs } = {}] = made.functions['rebind-volume']?.events ?? [];
  expect(sqs).toMatchObject({ maximumConcurrency: '7' });
});

test('more variables than Lambda takes are refused, with what they are made of', () => {
  const names = Array.from({ length: 30 }, (_, index) => `cluster-${index}`);
  expect(() => completed({ clusters: clustersNamed(...names) })).toThrow(
    /^nothing was changed: the variables of forward take about \d+ bytes, but Lambda allows 4096: .*LONGSHORE_CLUSTERS/,
  );
});

test('variables that the longest names of stage, queue and region make too many are refused as well', () => {
  const queue = `longshore-${'x'.repeat(35)}-request-bucket-dead-letters.fifo`;
  const address = `https://sqs.ap-southeast-1.amazonaws.com/111122223333/${queue}`;
  const tooMany = { LONGSHORE_DEAD_LETTERS_URL: address, LONGSHORE_CLUSTERS: '' };
  const missing = 4_097 - Buffer.byteLength(JSON.stringify(tooMany));
  const environment = { LONGSHORE_DEAD_LETTERS_URL: { Ref: 'Queue' }, LONGSHORE_CLUSTERS: 'x'.repeat(missing) };
  const service = {
    service: 'longshore',
    custom: { maxReceives: 8 },
    provider: {},
    functions: { step: { environment } },
  };
  expect(() => refuseTooManyVariables(service)).toThrow('Lambda allows 4096');
});
