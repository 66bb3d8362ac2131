import { describe, expect, test } from '@jest/globals';
import { contextsFrom, ReadableClusters } from '../../../cli/dead-letters/readable-clusters.ts';
import { UsageError } from '../../../cli/parse/usage-error.ts';
import type { Connection } from '../../../lib/kubernetes/connection.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import type { RestCluster } from '../../../lib/kubernetes/rest-cluster.ts';
import { clusterOf } from '../../lib/capabilities/cluster-of.ts';
import { volume } from '../../support/builders.ts';

const claim = nameOf(resources.claim, 'prod', 'data');

describe('how clusters are reached', () => {
  test.each<[string | undefined, string[], [string, string | undefined][]]>([
    [undefined, [], []],
    ['main', [], [['main', undefined]]],
    ['main', ['prod'], [['main', 'prod']]],
    ['main', ['arn:aws:eks:eu-central-1:1:cluster/a'], [['main', 'arn:aws:eks:eu-central-1:1:cluster/a']]],
    ['main', ['main=prod'], [['main', 'prod']]],
    ['main', ['a=b'], [['main', 'a=b']]],
    [
      undefined,
      ['main=prod', 'edge=shop'],
      [
        ['main', 'prod'],
        ['edge', 'shop'],
      ],
    ],
  ])('--cluster %p and --context %j mean %j', (cluster, given, expected) => {
    expect([...contextsFrom(cluster, given)]).toEqual(expected);
  });

  test.each(['prod', '=prod', 'main='])('--context %s alone does not say which cluster it is', (given) => {
    expect(() => contextsFrom(undefined, [given])).toThrow(UsageError);
  });
});

function opening(cluster = clusterOf(volume())) {
  const asked: (string | undefined)[] = [];
  let closed = 0;
  const open = async ({ context }: { context?: string | undefined }) => {
    asked.push(context);
    const close = () => {
      closed += 1;
    };
    const connection = { close } as unknown as Connection;
    return { cluster: { ...cluster, name: 'main' } as unknown as RestCluster, connection };
  };
  return { asked, open, closed: () => closed };
}

test('a cluster is opened once, by its context, and closed in the end', async () => {
  const { asked, open, closed } = opening();
  const clusters = new ReadableClusters(new Map([['main', 'prod']]), open);
  for (const _ of [1, 2])
    expect(await (await clusters.get('main')).get(nameOf(resources.volume, undefined, 'volume-1'))).toBeDefined();
  expect(asked).toEqual(['prod']);
  clusters.close();
  await new Promise(setImmediate);
  expect(closed()).toBe(1);
});

test('a cluster of which nobody has said how it is reached is never asked by the context that happens to be current', async () => {
  const { asked, open } = opening();
  const clusters = new ReadableClusters(new Map(), open);
  await expect(clusters.get('main')).rejects.toThrow('cluster main was not read');
  expect(asked).toEqual([]);
  expect([...clusters.problems.values()]).toEqual([
    'cluster main is not read: use --context main=<context of your kubeconfig> to read it',
  ]);
});

test.each(['unreachable', 'unauthorized'] as const)('a cluster that is %s is asked once', async (errorClass) => {
  let calls = 0;
  const cluster = clusterOf();
  const get = () => {
    calls += 1;
    return Promise.reject(new ClusterError(errorClass, 'no answer'));
  };
  const { open } = opening({ ...cluster, get });
  const clusters = new ReadableClusters(new Map([['main', undefined]]), open);
  for (const _ of [1, 2, 3]) await expect((await clusters.get('main')).get(claim)).rejects.toThrow('was not read');
  expect(calls).toBe(1);
  expect([...clusters.problems.values()]).toEqual(['cluster main is not read: no answer']);
});

test('what may not be read in a cluster does not keep the rest from being read', async () => {
  const get = () => Promise.reject(new ClusterError('denied', 'forbidden'));
  const { open } = opening({ ...clusterOf(), get });
  const clusters = new ReadableClusters(new Map([['main', undefined]]), open);
  for (const _ of [1, 2]) await expect((await clusters.get('main')).get(claim)).rejects.toThrow('forbidden');
  expect(await (await clusters.get('main')).list(resources.claim, 'prod')).toEqual([]);
});
