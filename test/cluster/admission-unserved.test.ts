import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { acceptingClaim } from '../../cli/accept/accepting-claim.ts';
import { findBinaries } from '../../tools/control-plane/binaries.ts';
import { startControlPlane } from '../../tools/control-plane/control-plane.ts';
import type { ControlPlane } from '../../tools/control-plane/control-plane-options.ts';
import { applyManifests } from '../../tools/control-plane/manifests.ts';
import { ClusterClient } from '../support/cluster-client.ts';
import { isServed } from './case-needs.ts';
import { refusalOf } from './case-refusal.ts';

const namespace = `unserved-${randomBytes(4).toString('hex')}`;
const held = { apiGroup: 'longshore.dev', kind: 'Transfer', name: 'accepted' };
const said: string[] = [];
let programs = '';
let controlPlane: ControlPlane | undefined;
let client: ClusterClient;

function claim(name: string, annotations: Record<string, string>, special: object = {}) {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...special };
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { namespace, name, annotations }, spec };
}

/** On a server that serves them: the programs as they are, except that the server is told to serve no mutating policies. */
async function programsWithout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-unserved-'));
  const { 'kube-apiserver': server, ...others } = await findBinaries();
  const group = 'admissionregistration.k8s.io/v1';
  const kinds = `${group}/mutatingadmissionpolicies=false,${group}/mutatingadmissionpolicybindings=false`;
  const script = `#!/bin/sh\nexec '${server}' "$@" --runtime-config=${kinds}\n`;
  await writeFile(join(folder, 'kube-apiserver'), script, { mode: 0o755 });
  for (const [name, path] of Object.entries(others)) await symlink(path, join(folder, name));
  return folder;
}

async function startWithout(): Promise<ControlPlane> {
  if (!isServed) return startControlPlane({});
  programs = await programsWithout();
  const before = process.env.KUBEBUILDER_ASSETS;
  process.env.KUBEBUILDER_ASSETS = programs;
  try {
    // A server that waits for policies which it does not serve would never be ready.
    return await startControlPlane({ featureGates: { MutatingAdmissionPolicy: false } });
  } finally {
    if (before === undefined) delete process.env.KUBEBUILDER_ASSETS;
    else process.env.KUBEBUILDER_ASSETS = before;
  }
}

// A cluster that was given is used as it is, and serves what it serves.
const onOwnCluster = process.env.LONGSHORE_KUBECONFIG ? describe.skip : describe;

onOwnCluster('on a cluster that does not serve MutatingAdmissionPolicy', () => {
  beforeAll(async () => {
    controlPlane = await startWithout();
    client = new ClusterClient(controlPlane.kubeconfigPath);
    await client.createNamespace(namespace);
    await client.create(claim('malformed', { transferRequest: 'data' }));
    const dropped = { kind: 'PersistentVolumeClaim', namespace: 'prod', name: 'data' };
    await client.create(claim('dropped', {}, { dataSourceRef: dropped }));
    await applyManifests(controlPlane.kubeconfigPath, (line) => said.push(line));
  });
  afterAll(async () => {
    await controlPlane?.stop();
    await rm(programs, { recursive: true, force: true });
  });

  test('everything else is applied, and what is left out is said', async () => {
    const policy = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy' };
    const checks = ['accepting-claims-are-held', 'marks-are-longshores', 'offered-claims-are-safe'];
    for (const name of [...checks, 'references-are-not-dropped']) {
      expect(await client.get({ ...policy, metadata: { name: `longshore-${name}` } })).toBeDefined();
    }
    const left = ['hold-accepting-claims', 'keep-references-to-snapshots', 'restored-claims-are-ordinary'];
    const mutating = left.flatMap((name) => [
      `MutatingAdmissionPolicy longshore-${name}`,
      `MutatingAdmissionPolicyBinding longshore-${name}`,
    ]);
    const populators = ['volumesnapshotlink', 'longshore-volumesnapshotreference', 'longshore-transfer'];
    const expected = [...mutating, ...populators.map((name) => `VolumePopulator ${name}`)];
    expect(said.toSorted()).toEqual(
      expected.map((name) => `Left out ${name}: the cluster does not serve this kind`).toSorted(),
    );
  });

  test('an accepting claim that is not held is refused, and taken when it says what it was told to', async () => {
    await expect(client.create(claim('data', { transferAccept: 'prod/data' }))).rejects.toThrow(
      'a claim with the annotation transferAccept would get a new, empty volume before its own volume arrives: set spec.dataSourceRef: {apiGroup: longshore.dev, kind: Transfer, name: accepted}. To keep it from being bound to any other free volume, also set spec.selector: {matchLabels: {longshore.dev/volume: transferred}}',
    );
    const accepting = claim('data', { transferAccept: 'prod/data' }, { dataSourceRef: held });
    expect(await client.create(accepting)).toMatchObject({ spec: { dataSourceRef: held } });
  });

  test('the accepting claim of longshore accept is taken as it is', async () => {
    const fit = { size: '1Gi', accessModes: ['ReadWriteOnce'] };
    const accepting = acceptingClaim({ namespace, toName: 'accepted', from: 'prod', claim: 'data' }, fit);
    const { spec } = await client.create(accepting);
    expect(spec).toMatchObject({
      dataSourceRef: held,
      selector: { matchLabels: { 'longshore.dev/volume': 'transferred' } },
    });
  });

  test('a claim from a backup that was transferred is refused where nothing would fill it, and taken without that', async () => {
    const complete = { transferAccept: 'prod/data', 'pvc.kubernetes.io/transfer-status': 'complete' };
    expect(await refusalOf(client.create(claim('back', complete, { dataSourceRef: held })))).toBe(
      'this claim comes from a backup and has already been transferred: nothing would fill it. Leave out the annotation transferAccept, spec.dataSource and spec.dataSourceRef, and spec.selector with the label longshore.dev/volume',
    );
    await client.create(claim('back', complete));
  });

  test('a claim whose reference is dropped is refused, and taken when it says what it was told to', async () => {
    const from = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', namespace: 'prod', name: 'backup' };
    expect(await refusalOf(client.create(claim('restored', {}, { dataSourceRef: from })))).toBe(
      'this cluster drops a spec.dataSourceRef that has a namespace, and the claim would get a new, empty volume: set spec.dataSourceRef: {apiGroup: longshore.dev, kind: VolumeSnapshotReference, name: <namespace>.<snapshot>}, or create {apiVersion: snapshot.storage.k8s.io/v1alpha1, kind: VolumeSnapshotLink, metadata: {name: <link>}, spec: {source: {namespace: <namespace>, name: <snapshot>}}} and set spec.dataSourceRef: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshotLink, name: <link>}. With either, set spec.selector: {matchLabels: {longshore.dev/volume: populated}}, which keeps it from being bound to any other free volume. From another namespace, only snapshots can be used: kind VolumeSnapshot and apiGroup snapshot.storage.k8s.io, without a version',
    );
    const selector = { matchLabels: { 'longshore.dev/volume': 'populated' } };
    const reference = { apiGroup: 'longshore.dev', kind: 'VolumeSnapshotReference', name: 'prod.backup' };
    const link = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshotLink', name: 'backup' };
    for (const [name, dataSourceRef] of Object.entries({ reference, link })) {
      const spec = { dataSourceRef, selector };
      expect(await client.create(claim(name, {}, spec))).toMatchObject({ spec });
    }
    for (const [name, dataSourceRef] of Object.entries({ reference, link })) {
      for (const own of [{}, { selector: {} }, { selector: { matchLabels: {}, matchExpressions: [] } }]) {
        const unguarded = claim(`unguarded-${name}`, {}, { dataSourceRef, ...own });
        expect(await refusalOf(client.create(unguarded))).toBe(
          `a claim with the data of a ${dataSourceRef.kind} and without a selector may be bound to any free volume, with whatever is in it: set spec.selector: {matchLabels: {longshore.dev/volume: populated}}`,
        );
      }
      const named = claim(`named-${name}`, {}, { dataSourceRef, volumeName: 'volume' });
      expect(await client.create(named)).toMatchObject({ spec: { dataSourceRef } });
      const own = { matchExpressions: [{ key: 'disk', operator: 'Exists' }] };
      expect(await client.create(claim(`own-${name}`, {}, { dataSourceRef, selector: own }))).toBeDefined();
    }
    const malformed = { ...reference, name: 'backup' };
    expect(await refusalOf(client.create(claim('nowhere', {}, { dataSourceRef: malformed })))).toContain(
      "spec.dataSourceRef refers to a snapshot as 'backup', which is not <namespace>.<name>",
    );
  });

  test('a claim from before the policies, whose reference was dropped, can still be changed', async () => {
    await client.annotate(claim('dropped', {}), { team: 'a' });
    expect(await client.get(claim('dropped', {}))).toMatchObject({ metadata: { annotations: { team: 'a' } } });
  });

  test('a claim from before the policies, with an annotation that they refuse, can be deleted', async () => {
    const malformed = claim('malformed', {});
    await client.delete(malformed);
    await client.untilGone(malformed);
  });
});
