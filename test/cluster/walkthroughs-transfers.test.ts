import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Claim, ClusterObject, TransferRequest, Volume } from '../../lib/kubernetes/objects.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { type InProcess, runInProcess } from '../support/in-process.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { serveGrants } from './case-grants.ts';
import { untilBound, untilReason } from './case-waits.ts';
import { applying } from './case-walkthroughs.ts';

const driver = 'csi.example.com';
const className = 'standard';
const provisioner = 'volume.kubernetes.io/storage-provisioner';

const own = ownControlPlane();
const { apply } = applying(own.client);
let longshore: InProcess | undefined;
beforeAll(async () => {
  await serveGrants(own.client(), 'v1beta1');
  await serveSnapshots(own.client());
  const metadata = { name: className };
  const storageClass = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata };
  await own.client().create({ ...storageClass, provisioner: driver, reclaimPolicy: 'Delete' } as ClusterObject);
  longshore = await runInProcess(own.kubeconfig());
});
afterAll(() => longshore?.stop());

/** The kind VolumeSnapshot, without anybody who takes snapshots. */
async function serveSnapshots(client: ClusterClient): Promise<void> {
  const group = 'snapshot.storage.k8s.io';
  const source = { type: 'object', properties: { persistentVolumeClaimName: { type: 'string' } } };
  const spec = { type: 'object', properties: { source } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `volumesnapshots.${group}`,
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' },
    },
    spec: {
      ...{ group, scope: 'Namespaced' },
      names: { kind: 'VolumeSnapshot', plural: 'volumesnapshots' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  await client.create(definition);
  const isServed = ({ status }: typeof definition & { status?: { conditions?: { type: string; status: string }[] } }) =>
    status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') === true;
  await client.until(definition, isServed);
}

/** What a driver does for a claim of its class: it makes a volume, with the data that the claim asks for. */
async function provision(claim: Claim): Promise<Volume> {
  const client = own.client();
  const isAsked = ({ metadata }: Claim) => metadata.annotations?.[provisioner] === driver;
  const { apiVersion, kind, metadata, spec } = await client.until<Claim>(claim, isAsked);
  const { namespace = '', name, uid = '' } = metadata;
  const volume: Volume & { spec: Record<string, unknown> } = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `pvc-${uid}`, annotations: { 'pv.kubernetes.io/provisioned-by': driver } },
    spec: {
      capacity: { storage: spec.resources?.requests?.storage ?? '' },
      accessModes: spec.accessModes ?? [],
      storageClassName: className,
      persistentVolumeReclaimPolicy: 'Delete',
      csi: { driver, volumeHandle: `of-${name}` },
      claimRef: { apiVersion, kind, namespace, name, uid },
    },
  };
  await client.create(volume);
  await untilBound(client, claim);
  return volume;
}

/** The request is complete: its claim has the very volume, with its policy, and the source is gone. */
async function expectMoved(request: TransferRequest, source: Claim, before: Volume): Promise<void> {
  const client = own.client();
  await client.until<TransferRequest>(request, ({ status }) => status?.complete === true);
  await client.untilGone(source);
  const { namespace = '' } = request.metadata;
  const target = await untilBound(client, { ...source, metadata: { namespace, name: request.spec.targetName } });
  expect(target.spec.volumeName).toBe(before.metadata.name);
  expect(target.spec.dataSourceRef).toBeUndefined();
  const isAtRest = ({ metadata }: Volume) => !JSON.stringify(metadata.annotations).includes('longshore.dev/');
  const volume = await client.until<Volume>(before, isAtRest);
  expect(volume.spec.claimRef?.uid).toBe(target.metadata.uid);
  expect(volume.spec.persistentVolumeReclaimPolicy).toBe('Delete');
}

test('from production to staging: a copy of the database goes where it may be changed, the database stays', async () => {
  const database = await apply<Claim>('production-to-staging/before.yaml');
  const original = await provision(database);
  await apply('production-to-staging/snapshot.yaml');
  const copy = await apply<Claim>('production-to-staging/copy.yaml');
  const volume = await provision(copy);
  const request = await apply<TransferRequest>('production-to-staging/request.yaml');
  await untilReason(own.client(), request, 'ApprovalMissing');
  await apply('production-to-staging/approval.yaml');
  await expectMoved(request, copy, volume);
  expect((await untilBound(own.client(), database)).spec.volumeName).toBe(original.metadata.name);
});

describe('golden images', () => {
  let image: Claim;
  let original: Volume;
  beforeAll(async () => {
    image = await apply<Claim>('golden-images/before.yaml');
    original = await provision(image);
    await apply('golden-images/grant.yaml');
  });

  test('a clone goes to the machine that it was made for, without anybody who approves it', async () => {
    const clone = await apply<Claim>('golden-images/clone.yaml');
    const volume = await provision(clone);
    const request = await apply<TransferRequest>('golden-images/request.yaml');
    await expectMoved(request, clone, volume);
    expect((await untilBound(own.client(), image)).spec.volumeName).toBe(original.metadata.name);
  });

  test('the image itself is not for the taking', async () => {
    const request = await apply<TransferRequest>('golden-images/request-for-image.yaml');
    const { message } = await untilReason(own.client(), request, 'ApprovalMissing');
    expect(message).toContain('no ReferenceGrant of namespace golden-images covers it');
  });
});
