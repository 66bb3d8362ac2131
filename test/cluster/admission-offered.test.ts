import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ApiException, CoreV1Api, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import type { Claim, ClusterObject } from '../../lib/kubernetes/objects.ts';
import { serviceAccountKubeconfig } from '../../tools/control-plane/manifests.ts';
import { PatientKubeConfig } from '../../tools/local/patient-kubeconfig.ts';
import { claim, volume } from '../../tools/local/transfer-objects.ts';
import { testClient, testKubeconfig } from './administrator.ts';

const cluster = testClient();
const namespace = `offer-${randomBytes(4).toString('hex')}`;
const className = 'made-by-hand';
const offer = { transferRequest: 'stage/data' };
const safe = { 'pvc.kubernetes.io/transfer-status': 'pending' };
const fence = 'longshore.dev/transfer';
const fenceOfOffer = 'longshore.dev/transfer-offer';
const notSafe =
  'the claim is offered to stage/data, and its volume is not safe yet: wait until the annotation pvc.kubernetes.io/transfer-status is pending and the finalizer longshore.dev/transfer-offer is there, or remove the annotation transferRequest to delete the claim with its data';

const ofAdministrator = PatientKubeConfig.fromFile(testKubeconfig());
const administrator = ofAdministrator.makeApiClient(CoreV1Api);
/** May do what those who run a namespace usually may, and nothing outside of it. */
let user: CoreV1Api;

beforeAll(async () => {
  await cluster.createNamespace(namespace);
  const apiGroup = 'rbac.authorization.k8s.io';
  const binding = {
    ...{ apiVersion: `${apiGroup}/v1`, kind: 'RoleBinding', metadata: { namespace, name: 'admin' } },
    ...{ roleRef: { apiGroup, kind: 'ClusterRole', name: 'admin' } },
    ...{ subjects: [{ kind: 'ServiceAccount', namespace, name: 'default' }] },
  };
  await cluster.create(binding);
  const config = PatientKubeConfig.fromString(
    await serviceAccountKubeconfig(testKubeconfig(), { namespace, name: 'default' }),
  );
  user = config.makeApiClient(CoreV1Api);
});

let made = 0;

/** A claim that has its volume, as far as its spec says. */
async function bound(metadata: Partial<ClusterObject['metadata']>, volumeName = 'volume'): Promise<Claim> {
  made += 1;
  const plain = claim({ namespace, name: `data-${made}`, ...metadata }, className);
  const spec = { ...plain.spec, ...(volumeName ? { volumeName } : {}) };
  return cluster.create({ ...plain, metadata: { ...plain.metadata, ...metadata }, spec });
}

function placeOf({ metadata: { name, namespace = '' } }: Claim) {
  return { name, namespace };
}

function change(by: CoreV1Api, of: Claim, metadata: object): Promise<unknown> {
  const merging = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
  return by.patchNamespacedPersistentVolumeClaim({ ...placeOf(of), body: { metadata } }, merging);
}

/** As Longshore does it: the fence first, and the annotation when the volume is safe. */
async function makeSafe(offered: Claim): Promise<void> {
  await change(administrator, offered, { finalizers: [fenceOfOffer] });
  await change(administrator, offered, { annotations: safe });
}

/** As Longshore does it when another claim has the volume. */
function letGo(offered: Claim): Promise<unknown> {
  return change(administrator, offered, { finalizers: null });
}

async function deleteBy(by: CoreV1Api, offered: Claim): Promise<void> {
  await by.deleteNamespacedPersistentVolumeClaim(placeOf(offered));
  await cluster.untilGoneOr<Claim>(offered, ({ metadata }) => metadata.deletionTimestamp !== undefined);
}

async function expectRefused(by: CoreV1Api, offered: Claim): Promise<void> {
  const error = await by.deleteNamespacedPersistentVolumeClaim(placeOf(offered)).catch((reason: unknown) => reason);
  if (!(error instanceof ApiException)) throw new Error('the claim has been deleted', { cause: error });
  expect(JSON.parse(error.body).message.split(' denied request: ')[1]).toBe(notSafe);
}

describe('a claim that is given away', () => {
  test('is not deleted before its volume is safe, by its user or by an administrator', async () => {
    const offered = await bound({ annotations: offer });
    await expectRefused(user, offered);
    await expectRefused(administrator, offered);
    await change(administrator, offered, { annotations: { 'pvc.kubernetes.io/transfer-status': 'other' } });
    await expectRefused(user, offered);
    await makeSafe(offered);
    await deleteBy(user, offered);
    await letGo(offered);
    await cluster.untilGone(offered);
  });

  test('is not deleted by the annotation alone, nor by the fence alone: nothing shows then that its volume is safe', async () => {
    const marked = await bound({ annotations: offer });
    await change(administrator, marked, { annotations: safe });
    await expectRefused(user, marked);
    await expectRefused(administrator, marked);
    const fenced = await bound({ annotations: offer });
    await change(administrator, fenced, { finalizers: [fenceOfOffer] });
    await expectRefused(user, fenced);
    await expectRefused(administrator, fenced);
    for (const each of [marked, fenced]) {
      await change(administrator, each, { annotations: { transferRequest: null }, finalizers: null });
    }
  });

  test('is deleted with its data when it is no longer given away', async () => {
    const offered = await bound({ annotations: offer });
    await expectRefused(user, offered);
    await change(user, offered, { annotations: { transferRequest: null } });
    await deleteBy(user, offered);
  });

  test('is deleted when it has no volume that could be lost', async () => {
    await deleteBy(user, await bound({ annotations: offer }, ''));
  });

  test('is deleted again when it has been deleted already', async () => {
    const offered = await bound({ finalizers: ['example.com/hold'] });
    await deleteBy(user, offered);
    await change(user, offered, { annotations: offer });
    await deleteBy(user, offered);
    await change(user, offered, { finalizers: null });
    await cluster.untilGone(offered);
  });

  test('is deleted by a transfer that both sides have agreed on, and by nobody without a right to marks', async () => {
    const offered = await bound({ annotations: offer, finalizers: [fence] });
    await expectRefused(user, offered);
    await deleteBy(administrator, offered);
    await change(administrator, offered, { finalizers: null });
  });

  test('is not deleted with its owner before its volume is safe, and then the garbage collector does it', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'owner' } };
    const { metadata } = await cluster.create<ClusterObject>(owner);
    const ownerReferences = [{ apiVersion: 'v1', kind: owner.kind, name: metadata.name, uid: metadata.uid ?? '' }];
    const offered = await bound({ annotations: offer, ownerReferences });
    await cluster.delete(owner);
    await expectRefused(administrator, offered);
    await makeSafe(offered);
    await cluster.untilGoneOr<Claim>(offered, ({ metadata }) => metadata.deletionTimestamp !== undefined);
    await letGo(offered);
    await cluster.untilGone(offered);
  });

  test('keeps its namespace from being deleted until its volume is safe, and then it goes on by itself', async () => {
    const other = `${namespace}-gone`;
    const space = await cluster.createNamespace(other);
    const made = volume({ name: other, className, path: '/tmp/offered', claim: { namespace: other, name: 'data' } });
    await cluster.create({ ...made, spec: { ...made.spec, persistentVolumeReclaimPolicy: 'Retain' } });
    const offered = await bound({ namespace: other, name: 'data', annotations: offer }, other);
    await cluster.until<Claim>(offered, ({ status }) => status?.phase === 'Bound');
    await cluster.delete(space);
    await cluster.until(space, (found) => JSON.stringify(found).includes('its volume is not safe yet'));
    expect((await cluster.get(offered))?.metadata.deletionTimestamp).toBeUndefined();
    await makeSafe(offered);
    await cluster.until<Claim>(offered, ({ metadata }) => metadata.deletionTimestamp !== undefined);
    await letGo(offered);
    await cluster.untilGone(space);
    await cluster.delete(made);
  });
});

test('an ordinary claim is deleted', async () => {
  await deleteBy(user, await bound({}));
});
