import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { choicesAnnotation, defaultChoices } from '../../lib/install/choices.ts';
import { withLabels } from '../../lib/install/labels.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import { longshore } from '../support/longshore-command.ts';
import { installedCluster } from './case-installed.ts';

interface Definition extends ClusterObject {
  spec?: { versions: { schema: { openAPIV3Schema: { properties: { spec: { properties: object } } } } }[] };
}

const cluster = installedCluster();

test('a whole installation is found well, and what is missing is named with the command that mends it', async () => {
  const well = await cluster.asAdministrator('check');
  expect(well.out).not.toContain('✗');
  expect(well).toMatchObject({ code: 0, err: '' });
  expect(well.out).toMatch(/permissions +system:serviceaccount:longshore-system:run has all \d+/);
  expect(well.out).toMatch(/CRDs +7 CRDs as of this release/);
  expect(well.out).toMatch(/policies +\d+ policies and bindings as of this release/);

  await cluster.takeAway('persistentvolumes');
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'buckets.cosi.io' },
  };
  const before = await cluster.client().get<Definition>(crd);
  const versions = structuredClone(before?.spec?.versions ?? []);
  for (const { schema } of versions) {
    schema.openAPIV3Schema.properties.spec.properties = {
      ...schema.openAPIV3Schema.properties.spec.properties,
      later: { type: 'string' },
    };
  }
  await cluster.client().change(crd, { spec: { versions } });
  const policy = 'longshore-marks-are-longshores';
  const binding = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicyBinding' };
  await cluster.client().delete({ ...binding, metadata: { name: policy } });
  const bad = await cluster.asAdministrator('check');
  expect(bad.code).toBe(3);
  expect(bad.out).toContain(
    'system:serviceaccount:longshore-system:run may not get, list, watch, patch persistentvolumes: ClusterRole longshore-run',
  );
  expect(bad.out).toContain('run: longshore install');
  expect(bad.out).toContain('buckets.cosi.io is of another release (v1alpha1 differs)');
  expect(bad.out).toContain('run: longshore install');
  expect(bad.out).toContain(`ValidatingAdmissionPolicyBinding ${policy} is missing`);
  expect(bad.out).toContain('run: longshore install');

  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'longshore-system' } };
  const choices = { ...defaultChoices, capabilities: ['transfers', 'data-sources'] };
  const annotations = { [choicesAnnotation]: JSON.stringify(choices) };
  await cluster.client().change(namespace, { metadata: { annotations } });
  const chosen = await cluster.asAdministrator('check');
  expect(chosen.out).not.toContain('buckets.cosi.io');
  expect(chosen.out).toMatch(/CRDs +3 CRDs as of this release/);
  expect(chosen.out).toContain(`ValidatingAdmissionPolicyBinding ${policy} is missing`);

  const { labels } = withLabels(namespace, '99.0.0').metadata;
  await cluster.client().change(namespace, { metadata: { labels } });
  const older = await cluster.asAdministrator('check');
  expect(older.out).toContain('release 99.0.0 is installed, and this command is older');
  expect([older.code, older.out]).toEqual([3, expect.stringContaining('run: npm install --global longshore@99.0.0')]);
  expect(older.out).not.toContain('longshore install');
  const nothing = Object.fromEntries(Object.keys(labels ?? {}).map((name) => [name, null]));
  await cluster
    .client()
    .change(namespace, { metadata: { labels: nothing, annotations: { [choicesAnnotation]: null } } });
});

test('a missing binding is named, and who has no right to look is told so', async () => {
  const binding = cluster.manifest().find(({ kind }) => kind === 'ClusterRoleBinding') as ClusterObject;
  await cluster.client().delete(binding);
  try {
    const { code, out } = await cluster.asAdministrator('check');
    expect(code).toBe(3);
    expect(out).toContain('ClusterRoleBinding longshore-run is missing');
    const own = await longshore(['check', '--kubeconfig', cluster.runKubeconfig()]);
    expect(own.out).toContain(
      'you may not get customresourcedefinitions in the whole cluster: ask a cluster administrator',
    );
    const pre = await longshore(['check', '--pre', '--kubeconfig', cluster.runKubeconfig()]);
    expect([pre.code, pre.out]).toEqual([3, expect.stringContaining('you may not create or change namespaces')]);
  } finally {
    const { metadata, ...rest } = binding;
    await cluster.client().create({ ...rest, metadata: { name: metadata.name } } as ClusterObject);
  }
});

test('credentials that the server does not accept are said to be so', async () => {
  const given = JSON.parse(await readFile(cluster.runKubeconfig(), 'utf8'));
  const payload = Buffer.from(JSON.stringify({ exp: 1_700_000_000 })).toString('base64url');
  given.users[0].user = { token: `e30.${payload}.x` };
  const path = join(cluster.folder(), 'expired');
  await writeFile(path, JSON.stringify(given));
  const check = await longshore(['check', '--kubeconfig', path]);
  expect(check.code).toBe(3);
  expect(check.out).toContain('the token ended');
  const status = await longshore(['status', '--kubeconfig', path]);
  expect([status.code, status.out]).toEqual([3, expect.stringMatching(/NEEDS YOU|NO ANSWER/)]);
  const nowhere = await longshore(['status', '--kubeconfig', path, '--context', 'nowhere']);
  expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining('has no context nowhere')]);
});
