import { describe, expect, test } from '@jest/globals';
import { confirmIdentity, WrongCluster } from '../../../cli/connect/identity.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import { kubeSystem, leaseOf } from './case-api.ts';

const identity = 'longshore-production.111122223333.eu-central-1';
const deployment = { name: 'longshore-production', queues: {}, archive: undefined, identity };
const now = new Date('2026-11-20T05:00:00Z');

interface Cluster {
  /** One after another, if it is read again. */
  lease?: object | Error | (object | undefined)[];
  namespace?: object | Error;
  leases?: string[];
}

function check(
  { lease, namespace = kubeSystem, leases = [] }: Cluster,
  { assumed = [] as string[], known = deployment as typeof deployment | Omit<typeof deployment, 'identity'> } = {},
): Promise<void> {
  const leasesInTurn = Array.isArray(lease) ? [...lease] : [];
  const nextLease = () => (leasesInTurn.length > 1 ? leasesInTurn.shift() : (leasesInTurn[0] ?? lease));
  const get = async <T>(path: string) => {
    const found = path.includes('/leases/') ? nextLease() : namespace;
    if (found instanceof Error) throw found;
    return found as T;
  };
  const list = async <T>() => leases.map((name) => ({ metadata: { name } })) as T[];
  const seen = { name: 'prod', server: 'https://api.example.com', api: { get, list } };
  const meant = { deployment: known, cluster: 'main', assumed, contextOption: '--context main=<context>' };
  return confirmIdentity(seen, meant, { now, pause: async () => {} });
}

const recently = new Date(now.getTime() - 10_000);

test('the cluster whose Lease the forwarder of the deployment has named so is the one', async () => {
  await expect(check({ lease: leaseOf('main', recently) })).resolves.toBeUndefined();
});

test('a forwarder that has just created its Lease is given the time to name the cluster', async () => {
  const created = leaseOf(undefined, recently);
  await expect(check({ lease: [created, created, leaseOf('main', recently)] })).resolves.toBeUndefined();
  const text = String(await check({ lease: [created, leaseOf('edge', recently)] }).catch((error: unknown) => error));
  expect(text).toContain('is cluster edge of longshore-production, not main');
});

describe('a cluster is refused, with both names and what to type,', () => {
  test.each<[string, Cluster, string]>([
    [
      'when it is another one of the deployment',
      { lease: leaseOf('edge', recently) },
      'context prod (https://api.example.com) is cluster edge of longshore-production, not main: use --context main=<context>',
    ],
    [
      'when no forwarder of the deployment has been there, but another one',
      { leases: ['forward.longshore-staging.1.x', 'other'] },
      `is not cluster main of longshore-production: no forwarder of that has run there (no Lease longshore-system/forward.${identity}); those of longshore-staging.1.x have. Use --context main=<context>`,
    ],
    [
      'when its Lease was never renewed',
      { lease: { ...leaseOf('main'), spec: {} } },
      'no forwarder of that has run there',
    ],
  ])('%s', async (_, cluster, text) => {
    const refusal = await check(cluster).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(WrongCluster);
    expect(String(refusal)).toContain(text);
  });
});

const denied = new ClusterError('denied', 'forbidden');

describe('it is said that it cannot be told, and asked for a confirmation,', () => {
  test.each<[string, Cluster, string]>([
    ['when the forwarder is of an earlier release', { lease: leaseOf(undefined, recently) }, 'deploy this release'],
    ['when the Lease is a copy from a backup', { lease: leaseOf('main', recently, 'uid-2') }, 'deploy this release'],
    ['when the Lease may not be read', { lease: denied }, 'for the verb get on leases.coordination.k8s.io'],
    [
      'when the forwarder has left long ago',
      { lease: leaseOf('main', new Date('2026-11-20T03:59:00Z')) },
      'its forwarder was last there at 2026-11-20T03:59:00.000Z',
    ],
  ])('%s', async (_, cluster, why) => {
    const text = String(await check(cluster).catch((error: unknown) => error));
    expect(text).toContain(
      'cannot tell whether context prod (https://api.example.com) is cluster main of longshore-prod',
    );
    expect(text).toContain(why);
    expect(text).toContain('If it is main nevertheless, add --assume-cluster kube-system-uid');
    await expect(check(cluster, { assumed: ['kube-system-uid'] })).resolves.toBeUndefined();
    await expect(check(cluster, { assumed: ['other'] })).rejects.toThrow('--assume-cluster other names another one');
  });

  test('when the stack does not say where it is', async () => {
    const { identity: _, ...known } = deployment;
    await expect(check({ lease: leaseOf('main', recently) }, { known })).rejects.toThrow('cannot tell whether');
  });
});

test('no confirmation makes another cluster of the deployment the one', async () => {
  const assumed = ['kube-system-uid'];
  await expect(check({ lease: leaseOf('edge', recently) }, { assumed })).rejects.toThrow('is cluster edge of');
});

test('what cannot be confirmed is not assumed', async () => {
  const assumed = ['undefined'];
  await expect(check({ lease: denied, namespace: denied }, { assumed })).rejects.toThrow(
    'for the verb get on namespaces',
  );
});

test('a cluster that does not answer is no wrong one', async () => {
  const lease = new ClusterError('unreachable', 'no answer');
  const refusal = await check({ lease }).catch((error: unknown) => error);
  expect(refusal).toBe(lease);
});
