import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../lib/kubernetes/cluster.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { FakeCluster } from '../simulation/fake-cluster.ts';
import { historiesOfOwners } from '../simulation/histories-of-owners.ts';
import { TransferControllers } from '../simulation/transfers/controllers.ts';
import { histories } from '../simulation/transfers/histories.ts';
import { historiesOfOffers } from '../simulation/transfers/histories-of-offers.ts';
import { until } from '../support/patience.ts';
import { administrator, testClient } from './administrator.ts';

const pollMs = 50;

/** Runs a history on the fake, whose controllers act whenever they are asked to. */
function onFake(namespace: string) {
  const cluster = new FakeCluster(() => new Date());
  const controllers = new TransferControllers(cluster);
  cluster.namespaces.add(namespace);
  cluster.namespaces.limit(namespace, resources.claim, 3);
  const settled = async (see: () => Promise<string>) => {
    for (let round = 0; round < 5; round += 1) controllers.syncAll();
    return see();
  };
  return { cluster: cluster as Cluster, settled };
}

/** On the real one the controllers act by themselves: it is given time to come to what the fake came to. */
async function onReal(namespace: string, expected: string[]) {
  const client = testClient();
  await client.createNamespace(namespace);
  await client.create({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { namespace, name: 'few' },
    spec: { hard: { persistentvolumeclaims: '3' } },
  });
  // A quota counts only once the controller has looked at it.
  await client.until<{ apiVersion: string; kind: string; metadata: { name: string }; status?: { hard?: object } }>(
    { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { namespace, name: 'few' } as { name: string } },
    ({ status }) => status?.hard !== undefined,
  );
  const { cluster, close } = await administrator();
  const settled = async (see: () => Promise<string>, position: number) => {
    let seen = await see();
    const isAsExpected = async () => {
      seen = await see();
      return seen === expected[position];
    };
    // What differs is compared with what was expected: that says more than that it did not come.
    await until('the history is as expected', isAsExpected, { pollMs }).catch(() => {});
    return seen;
  };
  return { cluster, settled, close };
}

describe('the fake cluster of the simulation behaves as the real one', () => {
  test.each([...histories, ...historiesOfOffers, ...historiesOfOwners])('$name', async ({ name, run }) => {
    const namespace = `fidelity-${name.replaceAll(' ', '-').slice(0, 30).replace(/-$/, '')}`;
    const fake = onFake(namespace);
    const expected = await run({ cluster: fake.cluster, namespace, settled: fake.settled });
    const real = await onReal(namespace, expected);
    try {
      expect(await run({ cluster: real.cluster, namespace, settled: real.settled })).toEqual(expected);
    } finally {
      real.close();
    }
  });
});
