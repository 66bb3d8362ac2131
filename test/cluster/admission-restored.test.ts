import { randomBytes } from 'node:crypto';
import { beforeAll, expect } from '@jest/globals';
import { KubernetesObjectApi } from '@kubernetes/client-node';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { serviceAccountKubeconfig } from '../../tools/control-plane/manifests.ts';
import { PatientKubeConfig } from '../../tools/local/patient-kubeconfig.ts';
import { makeTransfer } from '../support/cluster-client.ts';
import { testClient, testKubeconfig } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { needs } from './case-needs.ts';
import { accepting, expectTransferred, giveAway, offer } from './case-offers.ts';
import { refusalOf } from './case-refusal.ts';

const { describe, test } = needs('mutating admission');
const administrator = testClient();
runLongshore();
const namespace = `restored-${randomBytes(4).toString('hex')}`;
let user: KubernetesObjectApi;

/** Whoever may do what those who run a namespace usually may, and nothing outside of it. */
beforeAll(async () => {
  await administrator.createNamespace(namespace);
  const apiGroup = 'rbac.authorization.k8s.io';
  const roleRef = { apiGroup, kind: 'ClusterRole', name: 'admin' };
  const subjects = [{ kind: 'ServiceAccount', namespace, name: 'default' }];
  const binding = { apiVersion: `${apiGroup}/v1`, kind: 'RoleBinding', metadata: { namespace, name: 'admin' } };
  await administrator.create({ ...binding, ...{ roleRef, subjects } });
  const config = PatientKubeConfig.fromString(
    await serviceAccountKubeconfig(testKubeconfig(), { namespace, name: 'default' }),
  );
  user = KubernetesObjectApi.makeApiClient(config);
});

/** A claim that has been transferred, as a backup has it: without what the cluster wrote on it. */
async function backedUp(): Promise<Claim> {
  const transfer = await makeTransfer(administrator);
  await offer(administrator, transfer);
  await administrator.create(accepting(transfer));
  await giveAway(administrator, transfer);
  const { apiVersion, kind, metadata, spec } = await expectTransferred(administrator, transfer);
  const kept = Object.entries(metadata.annotations ?? {}).filter(([key]) => !key.startsWith('pv.kubernetes.io/'));
  const { volumeName: _, ...rest } = spec;
  const name = `back-${randomBytes(4).toString('hex')}`;
  return { apiVersion, kind, metadata: { namespace, name, annotations: Object.fromEntries(kept) }, spec: rest };
}

const creators = [
  ['its user', (claim: Claim) => user.create(claim as never) as unknown as Promise<Claim>],
  ['an administrator', (claim: Claim) => administrator.create(claim)],
] as const;

describe('a claim that was transferred and is brought back from a backup', () => {
  test.each(creators)('by %s is an ordinary one, which a provisioner fills', async (_, create) => {
    const backup = await backedUp();
    expect(backup.metadata.annotations).toMatchObject({ 'pvc.kubernetes.io/transfer-status': 'complete' });
    expect(backup.spec.dataSourceRef).toMatchObject({ kind: 'Transfer' });
    const { metadata, spec } = await create(backup);
    expect(Object.keys(metadata.annotations ?? {})).toEqual(['longshore.dev/transferred-from']);
    expect(spec).not.toHaveProperty('dataSourceRef');
    expect(spec).not.toHaveProperty('dataSource');
    expect(spec).not.toHaveProperty('selector');
  });

  test.each(creators)('by %s, with its data from a snapshot, keeps that', async (_, create) => {
    const backup = await backedUp();
    const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'back' };
    const { dataSourceRef: __, ...spec } = backup.spec;
    const made = await create({ ...backup, spec: { ...spec, dataSource } });
    expect(made.spec.dataSourceRef).toMatchObject(dataSource);
    expect(made.metadata.annotations).not.toHaveProperty('transferAccept');
  });

  test('and was moved by a request says no more who moved it', async () => {
    const marks = { 'longshore.dev/transferred-by': 'a/b/c', 'longshore.dev/transferred-from': 'prod/data' };
    const backup = await backedUp();
    const { dataSourceRef: _, dataSource: __, ...spec } = backup.spec;
    const moved = { ...backup, metadata: { ...backup.metadata, annotations: marks }, spec };
    const { metadata } = (await user.create(moved as never)) as Claim;
    expect(metadata.annotations).toEqual({ 'longshore.dev/transferred-from': 'prod/data' });
  });
});

describe('a claim that was in the middle of a transfer and is brought back from a backup', () => {
  const status = 'pvc.kubernetes.io/transfer-status';
  const fence = 'longshore.dev/transfer-offer';

  test.each(creators)(
    'by %s does not look as if its volume were safe, and wants the same as before',
    async (_, create) => {
      const backup = await backedUp();
      const wish = { transferRequest: `${namespace}/nobody` };
      // It names a volume that does not exist, as one in a backup may: so Longshore does nothing for it yet.
      const { dataSourceRef: __, dataSource: ___, ...rest } = backup.spec;
      const spec = { ...rest, volumeName: `gone-${backup.metadata.name}` };
      const metadata = { ...backup.metadata, annotations: { ...wish, [status]: 'pending' }, finalizers: [fence] };
      const made = await create({ ...backup, metadata, spec });
      expect(made.metadata.annotations).toEqual(wish);
      expect(made.metadata.finalizers ?? []).not.toContain(fence);
      expect(await refusalOf(administrator.delete(made))).toContain('its volume is not safe yet');
    },
  );

  test('waits for its volume again if it accepts one', async () => {
    const backup = await backedUp();
    const accepts = { transferAccept: 'prod/data' };
    const annotations = { ...accepts, [status]: 'pending', 'longshore.dev/transfer-volume': 'gone' };
    const pending = { ...backup, metadata: { ...backup.metadata, annotations } };
    const { metadata, spec } = (await user.create(pending as never)) as Claim;
    expect(metadata.annotations).toEqual(accepts);
    expect(spec.dataSourceRef).toMatchObject({ kind: 'Transfer' });
  });
});

test('a claim that is still to be transferred is held, and one with another mark is refused, as ever', async () => {
  const backup = await backedUp();
  const annotations = { transferAccept: 'prod/data', 'pvc.kubernetes.io/transfer-status': 'other' };
  const marked = { ...backup, metadata: { ...backup.metadata, annotations } };
  expect(await refusalOf(user.create(marked as never))).toContain('annotation pvc.kubernetes.io/transfer-status');
  const plain = { ...backup, metadata: { ...backup.metadata, annotations: { transferAccept: 'prod/data' } } };
  const { spec } = (await user.create(plain as never)) as Claim;
  expect(spec.dataSourceRef).toMatchObject({ kind: 'Transfer' });
});
