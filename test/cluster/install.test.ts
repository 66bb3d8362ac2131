import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { applyPlan } from '../../lib/install/apply-plan.ts';
import { choicesAnnotation } from '../../lib/install/choices.ts';
import { fieldManager } from '../../lib/install/field-manager.ts';
import type { AnyObject, Installable } from '../../lib/install/installable.ts';
import { pathOf, titleOf } from '../../lib/install/kinds.ts';
import { makePlan } from '../../lib/install/make-plan.ts';
import { installables } from '../../lib/install/manifests.ts';
import { isDefinition } from '../../lib/install/server.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { selfSignedCertificate } from '../../tools/control-plane/certificate.ts';
import { startControlPlane } from '../../tools/control-plane/control-plane.ts';
import type { ControlPlane } from '../../tools/control-plane/control-plane-options.ts';
import { serviceAccountKubeconfig } from '../../tools/control-plane/manifests.ts';
import { type Ended, longshore } from '../support/longshore-command.ts';
import { defaultWaitMs, until } from '../support/patience.ts';
import { administratorsApi, interruptedAfter } from './case-install.ts';
import { isServed } from './case-needs.ts';

/** On a control plane in which nothing of Longshore is, one test after the other. */

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const rolePath = `${rbac}/clusterroles/longshore-run`;
const namespacePath = '/api/v1/namespaces/longshore-system';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const grantsPath = `${definitions}/referencegrants.gateway.networking.k8s.io`;
let controlPlane: ControlPlane;
let administrator: Awaited<ReturnType<typeof administratorsApi>>;
let folder: string;

beforeAll(async () => {
  [controlPlane, folder] = await Promise.all([startControlPlane({ own: true }), mkdtemp(join(tmpdir(), 'install-'))]);
  administrator = await administratorsApi(controlPlane.kubeconfigPath);
});
afterAll(async () => {
  administrator?.close();
  await controlPlane?.stop();
  await rm(folder, { recursive: true, force: true });
});

const api = () => administrator.api;
const install = (...args: string[]): Promise<Ended> =>
  longshore(['install', ...args], { kubeconfig: controlPlane.kubeconfigPath });

/** Another release, with what it had. */
async function installRelease(version: string, all: readonly Installable[]): Promise<void> {
  const plan = await makePlan(api(), { version, force: true, installables: all });
  const deadlineMs = realClock.elapsedMs() + defaultWaitMs;
  await applyPlan(api(), plan, { clock: realClock, deadlineMs, progress: () => {} });
}

describe('in a cluster without Longshore', () => {
  test('a dry run shows the plan, says that something is to be done, and does nothing', async () => {
    const { code, out } = await install('--dry-run');
    expect([code, out]).toEqual([3, expect.stringMatching(/^create +namespace\/longshore-system$/m)]);
    expect(await api().get(namespacePath)).toBeUndefined();
  });

  test('nothing is done unasked where nobody can be asked', async () => {
    const { code, err } = await install();
    expect([code, err]).toEqual([2, expect.stringContaining('there is no terminal to ask at. Use --yes')]);
    expect(await api().get(namespacePath)).toBeUndefined();
  });

  test('an administrator of a namespace is told what is missing, and nothing is done', async () => {
    const account = { namespace: 'default', name: 'default' };
    await api().create(`${rbac}/namespaces/default/rolebindings`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'admin' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    });
    const path = join(folder, 'namespace-admin');
    await writeFile(path, await serviceAccountKubeconfig(controlPlane.kubeconfigPath, account));
    const { code, err } = await longshore(['install', '--yes'], { kubeconfig: path });
    expect([code, err.split('\n')]).toEqual([
      1,
      expect.arrayContaining([
        '- customresourcedefinitions.apiextensions.k8s.io: get, list, create, patch',
        '- clusterroles.rbac.authorization.k8s.io: get, list, create, patch',
      ]),
    ]);
    expect(await api().get(namespacePath)).toBeUndefined();
  });

  test('what was applied by other means is adopted, if it is as it should be', async () => {
    const other = await administratorsApi(controlPlane.kubeconfigPath, 'kubectl');
    const { object } = installables.find((each) => each.object.metadata.name === 'buckets.cosi.io') ?? {};
    await other.api.create(definitions, { ...object });
    other.close();
    const { code, out } = await install('--dry-run');
    expect([code, out]).toEqual([3, expect.stringMatching(/^adopt +customresourcedefinition\/buckets\.cosi\.io/m)]);
  });

  test.each([1, 8])('Ctrl-C after %d objects leaves what the next run completes', async (count) => {
    const args = ['install', '--yes'];
    const { code, err } = await longshore(args, {
      kubeconfig: controlPlane.kubeconfigPath,
      ...interruptedAfter(count),
    });
    expect([code, err]).toEqual([130, expect.stringContaining('run the same command again to complete it')]);
    expect((await install('--dry-run')).code).toBe(3);
  });

  test('it is installed, and ends when every policy is in force', async () => {
    const { code, out } = await install('--yes');
    const count = isServed ? 7 : 4;
    expect([code, out]).toEqual([0, expect.stringContaining(`and ${count} policies are in force`)]);
    expect(out.includes('Without MutatingAdmissionPolicy: users must write by hand')).toBe(!isServed);
    const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', annotations: { transferRequest: 'nowhere' } },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    await expect(api().create(claims, claim)).rejects.toThrow('longshore-accepting-claims-are-held');
    // What the probes have written goes: a controller of the cluster releases deleted claims.
    const left = () => api().list('/api/v1/persistentvolumeclaims');
    await until('no claim to be left', async () => (await left())?.length === 0, { found: left });
  });

  test('and there is nothing to do then', async () => {
    const { code, out } = await install('--dry-run');
    expect([code, out]).toEqual([0, expect.stringMatching(/^1 left alone, \d+ unchanged\.$/m)]);
  });
});

describe('where it is installed', () => {
  test('what somebody has changed is not overwritten unasked, and then it is', async () => {
    const other = await administratorsApi(controlPlane.kubeconfigPath, 'auditor');
    await other.api.patch(rolePath, { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] });
    other.close();
    const refused = await install('--yes');
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('clusterrole/longshore-run: rules was set by auditor'),
    ]);
    expect(refused.err).toContain('--force-conflicts');
    expect(refused.out).toMatch(/^ {4}- \{.*"resources":\["pods"\]\}$/m);
    expect((await api().get(rolePath))?.rules).toHaveLength(1);
    expect((await install('--yes', '--force-conflicts')).code).toBe(0);
    expect((await api().get(rolePath))?.rules).not.toHaveLength(1);
  });

  test('an older release becomes this one in place: what it lacked comes, what it had alone goes', async () => {
    const former: Installable = {
      set: 'base',
      object: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'longshore-former' },
        rules: [],
      },
    };
    const missing = 'longshore-references-are-not-dropped';
    await installRelease('0.0.9', [...installables.filter(({ object }) => object.metadata.name !== missing), former]);
    const uid = (await api().get(rolePath))?.metadata.uid;
    const policyPath = `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/${missing}`;
    expect(await api().get(policyPath)).toBeUndefined();
    const { code, out } = await install('--yes');
    expect([code, out]).toEqual([0, expect.stringMatching(/^delete +clusterrole\/longshore-former$/m)]);
    expect(await api().get(`${rbac}/clusterroles/longshore-former`)).toBeUndefined();
    expect(await api().get(policyPath)).toBeDefined();
    expect((await api().get(rolePath))?.metadata.uid).toBe(uid);
  });

  test('a newer release is not replaced, unless that is meant', async () => {
    await installRelease('99.0.0', installables);
    const { code, err } = await install('--yes');
    expect([code, err]).toEqual([1, expect.stringContaining('release 99.0.0 is installed')]);
    expect((await install('--yes', '--force')).code).toBe(0);
    expect((await install('--dry-run')).code).toBe(0);
  });

  test('the definition of ReferenceGrant is never changed, even one that is older', async () => {
    expect((await api().get(grantsPath))?.metadata).toMatchObject({ generation: 1 });
  });

  test('what applies its YAML has the same result, also where unknown fields are refused', async () => {
    const { code, out } = await install('-o', 'yaml');
    const objects = parseAllDocuments(out).map((document) => document.toJS() as AnyObject);
    expect([code, objects[0]?.kind, objects.length]).toEqual([0, 'Namespace', 35]);
    const isLacking = (kind: string) =>
      kind === 'VolumePopulator' || (!isServed && kind.startsWith('MutatingAdmissionPolicy'));
    const strict = `fieldManager=${fieldManager}&fieldValidation=Strict&dryRun=All`;
    const tried = async (object: AnyObject) => {
      const contentType = 'application/apply-patch+yaml';
      const path = `${pathOf(object)}?${strict}`;
      const answer = await administrator.connection.sendForBytes({ method: 'PATCH', path, body: object, contentType });
      return [titleOf(object), answer.status];
    };
    for (const object of objects.filter(({ kind }) => !isLacking(kind))) {
      expect(await tried(object)).toEqual([titleOf(object), 200]);
    }
    const { metadata, ...definition } = objects.find(isDefinition) as AnyObject;
    const text = JSON.stringify(definition).replace('"metadata":{"type":"object"', '$&,"in one word.":null');
    const [title, answered] = await tried({ ...JSON.parse(text), metadata });
    expect([title, Number(answered) >= 400]).toEqual([title, true]);
    expect(text).toContain('in one word.');
  });

  test('the webhook is configured on request, and then there is nothing to do', async () => {
    const authority = join(folder, 'ca.crt');
    await writeFile(authority, selfSignedCertificate().cert);
    const place = ['--admission-service', 'longshore-system/longshore-run', '--admission-ca', authority];
    const { code, out } = await install('--yes', ...place);
    expect([code, out]).toEqual([0, expect.stringMatching(/^create +mutatingwebhookconfiguration\/longshore$/m)]);
    expect((await install('--dry-run')).code).toBe(0);
  });

  test('where nobody knows what was chosen, everything has to be said', async () => {
    await api().patch(namespacePath, { metadata: { annotations: { [choicesAnnotation]: null } } });
    const { code, err } = await install('--yes');
    const options =
      '--run-role --without-function-roles --user-roles --reference-grants --admission-service longshore-system/longshore-run --admission-ca <file>';
    expect([code, err]).toEqual([2, expect.stringContaining(`transfers,buckets,data-sources ${options}`)]);
  });
});
