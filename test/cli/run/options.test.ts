import { expect, test } from '@jest/globals';
import { readRunOptions } from '../../../cli/run/options.ts';

test('without options everything runs for the current context', () => {
  expect(readRunOptions([], true)).toMatchObject({
    clusters: { contexts: [], kubeconfig: undefined, cluster: undefined },
    capabilities: ['transfers', 'buckets', 'data-sources'],
    leaseSeconds: undefined,
    status: undefined,
    log: 'text',
  });
  expect(readRunOptions([], false).log).toBe('json');
});

test('what is given counts, and a context that is named twice is one', () => {
  const given =
    '--context a --context b --context a --capabilities data-sources,transfers --log json --lease-seconds 5';
  expect(readRunOptions([...given.split(' '), '--metrics', '9464'], true)).toMatchObject({
    clusters: { contexts: ['a', 'b'] },
    capabilities: ['transfers', 'data-sources'],
    leaseSeconds: 5,
    status: { host: '127.0.0.1', port: 9464 },
    log: 'json',
  });
});

test.each([
  [['--capabilities', 'transfers,volumes'], '--capabilities must be some of transfers,buckets,data-sources'],
  [['--capabilities', ''], 'but has ""'],
  [['--log', 'xml'], '--log must be json or text, but is xml'],
  [['--lease-seconds', '4'], '--lease-seconds must be a whole number from 5 to 600'],
  [['main'], 'unexpected argument "main"'],
])('%j is refused', (given, problem) => {
  expect(() => readRunOptions(given, true)).toThrow(problem);
});
