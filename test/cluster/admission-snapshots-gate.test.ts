import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startControlPlane } from '../../tools/control-plane/control-plane.ts';
import type { ControlPlane } from '../../tools/control-plane/control-plane-options.ts';
import { applyManifests } from '../../tools/control-plane/manifests.ts';
import { ClusterClient } from '../support/cluster-client.ts';
import { definition } from '../support/kind-definition.ts';
import { until } from '../support/patience.ts';
import { isServed, needs } from './case-needs.ts';
import { claimWith, kept, selector, snapshot, snapshotGroup, writer } from './case-snapshot-claims.ts';

const namespace = 'default';
const text = { type: 'string' };
const sourceKind = { type: 'object', properties: { group: text, kind: text } };
const kinds = [
  definition({
    ...{ group: 'populator.storage.k8s.io', version: 'v1beta1', kind: 'VolumePopulator', scope: 'Cluster' },
    properties: { sourceKind },
  }),
  definition({
    ...{ group: snapshotGroup, version: 'v1', kind: 'VolumeSnapshot', scope: 'Namespaced' },
    properties: { spec: { type: 'object' } },
  }),
];
const said: string[] = [];
let controlPlane: ControlPlane | undefined;
let client: ClusterClient;
let writes: ReturnType<typeof writer>;

const fromProd = (name: string) => claimWith({ namespace, name }, { dataSourceRef: snapshot('prod') });

/** The server forgets a policy a moment after its binding is deleted. */
async function withoutMutatingPolicy(): Promise<void> {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const metadata = { name: 'longshore-keep-references-to-snapshots' };
  await client.delete({ apiVersion, kind: 'MutatingAdmissionPolicyBinding', metadata });
  const isAtWork = async () =>
    (await writes.create(fromProd('probe'), 'All')).spec.dataSourceRef?.kind !== 'VolumeSnapshot';
  await until('the policy is at work no more', async () => !(await isAtWork()));
}

// A cluster that was given is used as it is, with the gates that it has.
const onOwnCluster = process.env.LONGSHORE_KUBECONFIG ? describe.skip : describe;
const { test: testChange } = needs('MutatingAdmissionPolicy');

onOwnCluster('on a cluster with the gate CrossNamespaceVolumeDataSource, snapshots and populators', () => {
  beforeAll(async () => {
    controlPlane = await startControlPlane({ featureGates: { CrossNamespaceVolumeDataSource: true } });
    client = new ClusterClient(controlPlane.kubeconfigPath);
    writes = writer(await readFile(controlPlane.kubeconfigPath, 'utf8'));
    for (const made of kinds) {
      await client.create(made);
      await client.until(made, ({ status }) => status?.conditions?.some(({ type }) => type === 'Established') === true);
    }
    await applyManifests(controlPlane.kubeconfigPath, (line) => said.push(line));
  });
  afterAll(() => controlPlane?.stop());

  test('nothing is left out but the policies that the server does not serve', () => {
    const isOfPolicy = (line: string) => line.startsWith('Left out MutatingAdmissionPolicy');
    expect([said.filter(isOfPolicy).length, said.filter((line) => !isOfPolicy(line))]).toEqual([isServed ? 0 : 6, []]);
  });

  test.each([
    ['volumesnapshotlink', { group: snapshotGroup, kind: 'VolumeSnapshotLink' }],
    ['longshore-volumesnapshotreference', { group: 'longshore.dev', kind: 'VolumeSnapshotReference' }],
    ['longshore-transfer', { group: 'longshore.dev', kind: 'Transfer' }],
  ])('the VolumePopulator %s is there', async (name, sourceKind) => {
    const populator = { apiVersion: 'populator.storage.k8s.io/v1beta1', kind: 'VolumePopulator', metadata: { name } };
    expect(await client.get(populator)).toMatchObject({ sourceKind });
  });

  test('links and snapshots of one name stand side by side', async () => {
    const metadata = { namespace, name: 'backup' };
    const link = { apiVersion: `${snapshotGroup}/v1alpha1`, kind: 'VolumeSnapshotLink', metadata };
    const backup = { apiVersion: `${snapshotGroup}/v1`, kind: 'VolumeSnapshot', metadata };
    const spec = { source: { namespace: 'prod', name: 'backup' } };
    await client.create({ ...link, ...{ spec } });
    await client.create({ ...backup, ...{ spec: {} } });
    expect(await client.get(link)).toMatchObject({ spec });
    expect(await client.get(backup)).toMatchObject({ kind: 'VolumeSnapshot' });
  });

  testChange('the reference is ours to populate, also when it is applied again', async () => {
    const ours = { dataSourceRef: kept('prod'), dataSource: kept('prod'), selector };
    expect((await writes.create(fromProd('ours'))).spec).toMatchObject(ours);
    expect((await writes.apply(fromProd('ours'))).spec).toMatchObject(ours);
  });

  test('our own kind with a namespace is refused', async () => {
    const dataSourceRef = { ...kept('prod'), namespace: 'prod' };
    await expect(writes.create(claimWith({ namespace, name: 'twice' }, { dataSourceRef }))).rejects.toThrow(
      'a VolumeSnapshotReference has the namespace of the snapshot in its name: leave out spec.dataSourceRef.namespace',
    );
  });

  test('a second source is refused by the server', async () => {
    const { metadata, spec } = fromProd('two');
    await expect(
      writes.create({ ...fromProd('two'), metadata, spec: { ...spec, ...{ dataSource: snapshot() } } }),
    ).rejects.toThrow('may not be specified when dataSourceRef.namespace is specified');
  });

  test.each([
    { kind: 'PersistentVolumeClaim', name: 'data', namespace: 'prod' },
    { apiGroup: 'example.com', kind: 'Backup', name: 'data', namespace: 'prod' },
    { apiGroup: snapshotGroup, kind: 'VolumeSnapshotLink', name: 'data', namespace: 'prod' },
  ])('other kinds are left to who serves them: %j', async (dataSourceRef) => {
    const { spec } = await writes.create(
      claimWith({ namespace, name: dataSourceRef.kind.toLowerCase() }, { dataSourceRef }),
    );
    expect(spec).toMatchObject({ dataSourceRef });
    expect(spec).not.toHaveProperty('selector');
  });

  testChange(
    'without the mutating policy the reference stays as it was written, and with it again as well',
    async () => {
      await withoutMutatingPolicy();
      const written = { dataSourceRef: snapshot('prod') };
      const { spec } = await writes.create(fromProd('theirs'));
      expect(spec).toMatchObject(written);
      for (const field of ['dataSource', 'selector']) expect(spec).not.toHaveProperty(field);
      await applyManifests(controlPlane?.kubeconfigPath ?? '');
      expect((await writes.apply(fromProd('theirs'))).spec).toMatchObject(written);
    },
  );
});
