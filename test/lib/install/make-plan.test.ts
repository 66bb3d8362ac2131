import { beforeEach, describe, expect, test } from '@jest/globals';
import { applyPlan } from '../../../lib/install/apply-plan.ts';
import { type Choices, defaultChoices } from '../../../lib/install/choices.ts';
import { featuresOf } from '../../../lib/install/features.ts';
import { makePlan } from '../../../lib/install/make-plan.ts';
import { type Action, changesOf, conflictsOf, type Plan } from '../../../lib/install/plan.ts';
import { realClock } from '../../../lib/runtime/clock.ts';
import { MemoryApi } from './memory-api.ts';

const rolePath = '/apis/rbac.authorization.k8s.io/v1/clusterroles/longshore-run';
const namespacePath = '/api/v1/namespaces/longshore-system';
const grantsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/referencegrants.gateway.networking.k8s.io';
let api: MemoryApi;

beforeEach(() => {
  api = new MemoryApi();
});

const planned = (given: Partial<Choices> = {}, more: { version?: string; force?: boolean } = {}) =>
  makePlan(api, { version: '1.0.0', given, ...more });

async function install(given: Partial<Choices> = {}, version = '1.0.0'): Promise<void> {
  const deadlineMs = realClock.elapsedMs() + 10_000;
  await applyPlan(api, await planned(given, { version }), { clock: realClock, deadlineMs, progress: () => {} });
  api.writes.length = 0;
}

const of = ({ entries }: Plan, action: Action) =>
  entries.filter((each) => each.action === action).map(({ object }) => `${object.kind} ${object.metadata.name}`);

describe('in an empty cluster', () => {
  test('everything is created, and planning writes nothing', async () => {
    const plan = await planned();
    expect(of(plan, 'create').length).toBe(plan.entries.length);
    expect(of(plan, 'create')).toEqual(
      expect.arrayContaining([
        'Namespace longshore-system',
        'ClusterRole longshore-run',
        'ClusterRole longshore-admin',
      ]),
    );
    expect(api.writes).toEqual([]);
  });

  test('what the server does not serve is left out, and told with what is lost', async () => {
    api.unserved.add('populator.storage.k8s.io/v1beta1').add('snapshot.storage.k8s.io/v1');
    const plan = await planned();
    expect(of(plan, 'create').filter((each) => each.startsWith('VolumePopulator'))).toEqual([]);
    const states = Object.fromEntries(plan.features.map(({ name, state }) => [name, state]));
    expect(states).toEqual({
      ValidatingAdmissionPolicy: 'served',
      MutatingAdmissionPolicy: 'served',
      VolumeSnapshot: 'not served',
      VolumePopulator: 'not served',
      ReferenceGrant: 'installed',
    });
  });

  test('who may not do all of it is told what is missing, and nothing is tried', async () => {
    api.denied.add('create customresourcedefinitions').add('patch clusterroles');
    await expect(planned()).rejects.toThrow(
      'nothing was changed: you lack the following permissions, which a cluster administrator has:\n- customresourcedefinitions.apiextensions.k8s.io: create\n- clusterroles.rbac.authorization.k8s.io: patch',
    );
    expect(api.writes).toEqual([]);
  });

  test('who may not even read is told so in the same way', async () => {
    api.denied.add('get namespaces');
    const get = api.get.bind(api);
    api.get = async (path) => {
      if (path.startsWith('/api/v1/namespaces')) throw new Error('forbidden');
      return get(path);
    };
    await expect(planned()).rejects.toThrow('\n- namespaces: get');
  });
});

describe('where it is installed', () => {
  beforeEach(() => install());

  test('there is nothing to do', async () => {
    expect(changesOf(await planned())).toEqual([]);
  });

  test('an option that is left out stays as it was chosen', async () => {
    await install({ capabilities: ['transfers'], functionRoles: true, runRole: false });
    const plan = await planned();
    expect(changesOf(plan)).toEqual([]);
    expect(plan.choices).toMatchObject({ capabilities: ['transfers'], functionRoles: true, runRole: false });
  });

  test('what is not chosen any more is removed, but no kind, as its objects would go with it', async () => {
    const plan = await planned({ capabilities: ['transfers'], runRole: false });
    expect(of(plan, 'delete')).toEqual(
      expect.arrayContaining([
        'ClusterRole longshore-run',
        'MutatingAdmissionPolicy longshore-keep-references-to-snapshots',
      ]),
    );
    expect(of(plan, 'delete').filter((each) => each.startsWith('CustomResourceDefinition'))).toEqual([]);
    expect(of(plan, 'leave')).toEqual(expect.arrayContaining(['CustomResourceDefinition buckets.cosi.io']));
    expect(plan.dropped).toEqual(['buckets', 'data-sources']);
    expect((await planned()).dropped).toEqual([]);
  });

  test('a namespace with copied labels is never ours', async () => {
    const labels = { 'app.kubernetes.io/name': 'longshore', 'app.kubernetes.io/managed-by': 'longshore-install' };
    const metadata = { name: 'a-copy', labels: { ...labels, 'app.kubernetes.io/version': '0.9.0' } };
    api.changeAs('somebody', '/api/v1/namespaces/a-copy', { apiVersion: 'v1', kind: 'Namespace', metadata });
    expect(of(await planned(), 'delete')).toEqual([]);
  });

  test('a binding is removed before its role', async () => {
    const removed = of(await planned({ runRole: false }), 'delete');
    expect(removed.indexOf('ClusterRoleBinding longshore-run')).toBeLessThan(
      removed.indexOf('ClusterRole longshore-run'),
    );
  });

  test('what somebody else has changed is shown with his name, and is a conflict', async () => {
    api.changeAs('kubectl-edit', rolePath, { rules: [] });
    const plan = await planned();
    expect(of(plan, 'change')).toEqual(['ClusterRole longshore-run']);
    expect(conflictsOf(plan)).toEqual([
      { title: 'clusterrole/longshore-run', path: 'rules', owners: ['kubectl-edit'] },
    ]);
  });

  test('what somebody else has added stays, and is no conflict', async () => {
    api.changeAs('auditor', rolePath, { metadata: { annotations: { 'example.com/seen': 'yes' } } });
    expect(changesOf(await planned())).toEqual([]);
  });

  test('what is deleted comes back', async () => {
    api.objects.delete(rolePath);
    expect(of(await planned(), 'create')).toEqual(['ClusterRole longshore-run']);
  });

  test('what is being deleted is waited for by the user', async () => {
    api.changeAs('server', namespacePath, { metadata: { deletionTimestamp: '2026-11-20T00:00:00Z' } });
    await expect(planned()).rejects.toThrow('namespace/longshore-system is being deleted: run install again');
  });

  test('another release changes each object in its place, and removes what it does not have', async () => {
    api.changeAs('longshore-install', `${rolePath}-former`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: {
        name: 'longshore-run-former',
        labels: {
          'app.kubernetes.io/name': 'longshore',
          'app.kubernetes.io/version': '0.9.0',
          'app.kubernetes.io/managed-by': 'longshore-install',
        },
      },
    });
    const plan = await planned({}, { version: '1.1.0' });
    expect(of(plan, 'delete')).toEqual(['ClusterRole longshore-run-former']);
    expect(of(plan, 'create')).toEqual([]);
    expect(of(plan, 'change').length).toBeGreaterThan(30);
    expect(conflictsOf(plan)).toEqual([]);
  });

  test('an older release is refused, unless it is meant', async () => {
    await expect(planned({}, { version: '0.9.0' })).rejects.toThrow(
      'release 1.0.0 is installed (namespace/longshore-system), which is newer than this one, 0.9.0: use release 1.0.0, or --force',
    );
    expect(of(await planned({}, { version: '0.9.0', force: true }), 'change').length).toBeGreaterThan(30);
  });

  test('who may not delete what is left over is told before anything is done', async () => {
    api.denied.add('delete clusterroles');
    await expect(planned({ runRole: false })).rejects.toThrow('\n- clusterroles.rbac.authorization.k8s.io: delete');
    expect(changesOf(await planned())).toEqual([]);
  });
});

describe('an object of that name that somebody else has made', () => {
  test('is adopted if it is as it should be', async () => {
    await install();
    const { metadata, ...role } = api.objects.get(rolePath) ?? { metadata: { name: '' } };
    api.objects.delete(rolePath);
    api.changeAs('kubectl-client-side-apply', rolePath, { ...role, metadata: { name: metadata.name } });
    const plan = await planned();
    expect(of(plan, 'adopt')).toEqual(['ClusterRole longshore-run']);
    expect(conflictsOf(plan)).toEqual([]);
  });

  test('is not changed unasked, even if nobody says that a field is his', async () => {
    api.objects.set(rolePath, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'longshore-run', uid: 'other' },
      rules: [{ apiGroups: ['example.com'], resources: ['toys'], verbs: ['get'] }],
    });
    expect(conflictsOf(await planned())).toEqual([{ title: 'clusterrole/longshore-run', path: 'rules', owners: [] }]);
  });

  test('is not removed, as it is not ours', async () => {
    api.objects.set(`${rolePath}-more`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'longshore-run-more', labels: { 'app.kubernetes.io/name': 'longshore' } },
    });
    expect(of(await planned(), 'delete')).toEqual([]);
  });
});

describe('the definition of ReferenceGrant', () => {
  test('is never touched where it is there', async () => {
    api.changeAs('gateway', grantsPath, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'referencegrants.gateway.networking.k8s.io' },
      spec: {
        group: 'gateway.networking.k8s.io',
        names: { kind: 'ReferenceGrant', plural: 'referencegrants' },
        versions: [{ name: 'v1', served: true }],
      },
    });
    const before = structuredClone(api.objects.get(grantsPath));
    await install();
    const plan = await planned();
    expect(of(plan, 'leave')).toEqual(['CustomResourceDefinition referencegrants.gateway.networking.k8s.io']);
    expect(plan.features.find(({ name }) => name === 'ReferenceGrant')?.state).toBe('served');
    expect(api.objects.get(grantsPath)).toEqual(before);
  });

  test('stays as it is where an earlier run has created it, and is not removed when it is not wanted', async () => {
    await install();
    const before = structuredClone(api.objects.get(grantsPath));
    await install({ referenceGrants: false }, '1.1.0');
    expect(api.objects.get(grantsPath)).toEqual(before);
  });

  test('can be left out', async () => {
    const plan = await planned({ referenceGrants: false });
    expect(of(plan, 'create').filter((each) => each.includes('referencegrants'))).toEqual([]);
    expect(plan.features.find(({ name }) => name === 'ReferenceGrant')?.state).toBe('not served');
  });
});

describe('the webhook', () => {
  const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/longshore';
  const webhook = { service: { namespace: 'longshore-system', name: 'longshore-run' }, caBundle: 'PEM' };
  const title = 'MutatingWebhookConfiguration longshore';

  test('is configured where it is chosen, stays so, and goes when it is not wanted any more', async () => {
    expect(of(await planned(), 'create')).not.toContain(title);
    await install({ webhook });
    expect(api.objects.get(path)?.webhooks).toHaveLength(3);
    expect(changesOf(await planned())).toEqual([]);
    expect((await planned()).choices.webhook).toEqual(webhook);
    expect(of(await planned({ capabilities: ['transfers'] }), 'change')).toContain(title);
    expect(of(await planned({ webhook: null }), 'delete')).toEqual([title]);
    expect(of(await planned({ capabilities: ['buckets'] }), 'delete')).toContain(title);
  });

  test('keeps its authority where only its place changes, until another one or no webhook is chosen', async () => {
    await install({ webhook });
    const moved = { url: 'https://10.0.0.7:8443' };
    expect((await planned({ webhook: moved })).choices.webhook).toEqual({ ...moved, caBundle: 'PEM' });
    const other = { ...moved, caBundle: 'other' };
    expect((await planned({ webhook: other })).choices.webhook).toEqual(other);
    await install({ webhook: null });
    expect((await planned({ webhook: moved })).choices.webhook).toEqual(moved);
  });

  test('is not lost with what was chosen', async () => {
    await install({ webhook });
    api.changeAs('somebody', namespacePath, { metadata: { annotations: { 'longshore.dev/install': null } } });
    const given = { capabilities: ['transfers'], runRole: true, functionRoles: false } as const;
    const rest = { userRoles: true, referenceGrants: true };
    await expect(planned({ ...given, ...rest })).rejects.toMatchObject({ likely: { webhook } });
    expect(of(await planned({ ...given, ...rest, webhook: null }), 'delete')).toContain(title);
  });

  test('takes the place of the policies that the server lacks', async () => {
    const serves = ({ kind }: { kind: string }) => kind !== 'MutatingAdmissionPolicy';
    const stateWith = (chosen: Choices['webhook']) =>
      featuresOf({ version: 'v1.33.0', serves }, { ...defaultChoices, webhook: chosen }, false)[1]?.state;
    expect([stateWith(null), stateWith(webhook)]).toEqual(['not served', 'the webhook']);
  });
});

describe('where nobody knows what was chosen', () => {
  const all = { capabilities: ['transfers'], runRole: true, functionRoles: false, userRoles: true } as const;
  beforeEach(async () => {
    await install({ capabilities: ['transfers', 'buckets'], userRoles: false, referenceGrants: false });
  });

  test.each<[string, () => void]>([
    [
      'the annotation is gone',
      () => api.changeAs('somebody', namespacePath, { metadata: { annotations: { 'longshore.dev/install': null } } }),
    ],
    [
      'the annotation is damaged',
      () =>
        api.changeAs('somebody', namespacePath, { metadata: { annotations: { 'longshore.dev/install': '{"cap' } } }),
    ],
    ['the namespace is gone', () => void api.objects.delete(namespacePath)],
  ])('because %s, everything has to be said', async (_, lose) => {
    lose();
    await expect(planned({ ...all })).rejects.toMatchObject({
      message: expect.stringContaining('does not say what was chosen (annotation longshore.dev/install)'),
      // What is there, and what was said now.
      likely: { ...all, referenceGrants: false },
    });
    await expect(planned()).rejects.toMatchObject({
      likely: { capabilities: ['transfers', 'buckets'], runRole: true, functionRoles: false, userRoles: false },
    });
    const plan = await planned({ ...all, referenceGrants: false });
    expect(plan.choices).toEqual({ ...all, referenceGrants: false, webhook: null });
    // Whatever was there before may still be needed.
    expect(plan.dropped).toEqual(['buckets', 'data-sources']);
  });

  test('but what is left where everything was removed is no installation', async () => {
    await install({ ...all, referenceGrants: true });
    for (const [path, { kind, metadata }] of api.objects) {
      if (kind !== 'Namespace' && !metadata.name.startsWith('referencegrants')) api.objects.delete(path);
    }
    api.changeAs('somebody', namespacePath, { metadata: { annotations: { 'longshore.dev/install': null } } });
    expect((await planned()).choices.capabilities).toEqual(['transfers', 'buckets', 'data-sources']);
  });
});

describe('classes that give data to whoever may create Buckets', () => {
  const named = ['BucketClass archive', 'BucketClass keys'];
  const bucketsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/buckets.cosi.io';
  const namedIn = ({ notes }: Plan) => notes.map((note) => note.split(' ').slice(0, 2).join(' '));

  beforeEach(async () => {
    await install({ userRoles: false });
    const classes = '/apis/cosi.io/v1alpha1/bucketclasses';
    const classOf = (name: string, more: object, annotations = {}) =>
      api.changeAs('admin', `${classes}/${name}`, {
        apiVersion: 'cosi.io/v1alpha1',
        kind: 'BucketClass',
        metadata: { name, annotations },
        ...more,
      });
    classOf('archive', { bucketIdentifier: 'archive-2026' });
    classOf('keys', { secretRef: { namespace: 'a', name: 'b' } });
    classOf('payroll', { bucketIdentifier: 'payroll' }, { 'longshore.dev/namespaces': 'payroll' });
    classOf('new', { provisioner: 's3.longshore.dev' });
  });

  test('are named before the role for editors comes', async () => {
    expect(namedIn(await planned({ userRoles: true }))).toEqual(named);
    expect(namedIn(await planned())).toEqual([]);
  });

  test('are named whenever the role or the kinds are touched, and not otherwise', async () => {
    await install({ userRoles: true });
    expect(namedIn(await planned())).toEqual([]);
    expect(namedIn(await planned({}, { version: '1.1.0' }))).toEqual(named);
    api.objects.delete(bucketsPath);
    expect(namedIn(await planned())).toEqual(named);
    await install();
    api.changeAs('somebody', '/apis/rbac.authorization.k8s.io/v1/clusterroles/longshore-edit', { rules: [] });
    expect(namedIn(await planned())).toEqual(named);
  });
});
