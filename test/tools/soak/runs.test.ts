import { expect, test } from '@jest/globals';
import { runsOf } from '../../../tools/soak/runs.ts';

test('the long versions run, and the cluster tests on the oldest and the newest server', () => {
  const runs = runsOf(['--maxWorkers=1'], {});
  expect(runs.map(({ title, environment }) => [title, environment])).toEqual([
    ['long versions', {}],
    ['cluster tests on Kubernetes 1.33', { LONGSHORE_TEST_KUBERNETES: '1.33' }],
    [
      'cluster tests on Kubernetes 1.33 with the webhook',
      { LONGSHORE_TEST_KUBERNETES: '1.33', LONGSHORE_TEST_ADMISSION: 'webhook' },
    ],
    ['cluster tests on Kubernetes 1.36', { LONGSHORE_TEST_KUBERNETES: '1.36' }],
  ]);
  expect(runs[0]?.args).toEqual(['--config', 'jest.soak.config.js', '--maxWorkers=1']);
  for (const { args } of runs.slice(1)) expect(args).toEqual(expect.arrayContaining(['cluster', '--maxWorkers=1']));
});

test('a cluster that is given is the only server', () => {
  expect(runsOf([], { LONGSHORE_KUBECONFIG: 'config' }).map(({ title }) => title)).toEqual(['long versions']);
});
