import { beforeEach, expect, test } from '@jest/globals';
import { readInstallation } from '../../../cli/check/installation.ts';
import { checkCrds, checkPolicies } from '../../../cli/check/installed.ts';
import { checkRoles } from '../../../cli/check/permissions.ts';
import type { ClusterApi } from '../../../cli/connect/cluster-api.ts';
import { applyPlan } from '../../../lib/install/apply-plan.ts';
import type { Choices } from '../../../lib/install/choices.ts';
import { desiredObjects } from '../../../lib/install/desired.ts';
import { makePlan } from '../../../lib/install/make-plan.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import { realClock } from '../../../lib/runtime/clock.ts';
import { MemoryApi } from '../../lib/install/memory-api.ts';

const namespacePath = '/api/v1/namespaces/longshore-system';
let memory: MemoryApi;
let api: ClusterApi;
beforeEach(() => {
  memory = new MemoryApi();
  // As parsed from an answer.
  const get = async (path: string) => JSON.parse(JSON.stringify((await memory.get(path)) ?? null)) ?? undefined;
  api = { get, list: memory.list.bind(memory) } as unknown as ClusterApi;
});

async function install(given: Partial<Choices>, version = '1.0.0'): Promise<void> {
  const options = { clock: realClock, deadlineMs: realClock.elapsedMs() + 10_000, progress: () => {} };
  await applyPlan(memory, await makePlan(memory, { version, given }), options);
}

test('what was left out on purpose is not looked for, and what was chosen is', async () => {
  await install({ capabilities: ['transfers'], userRoles: false, functionRoles: true, runRole: false });
  const { choices, isChosen, findings } = await readInstallation(api, '1.0.0');
  expect([choices.capabilities, isChosen, findings]).toEqual([['transfers'], true, []]);
  const desired = desiredObjects(choices, '1.0.0');
  expect(await checkCrds(api, desired)).toEqual([expect.objectContaining({ level: 'ok' })]);
  expect(await checkRoles(api, desired)).toEqual([]);
  memory.objects.delete('/apis/rbac.authorization.k8s.io/v1/clusterroles/longshore-match-claim');
  memory.changeAs('somebody', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/longshore-match-transfer', {
    subjects: [{ kind: 'User', name: 'eve' }],
  });
  expect((await checkRoles(api, desired)).map(({ detail }) => detail)).toEqual([
    'ClusterRole longshore-match-claim is missing',
    'ClusterRoleBinding longshore-match-transfer does not bind system:serviceaccount:longshore-system:match-transfer',
  ]);
});

test('the webhook that was chosen is looked for, and is no other one', async () => {
  await install({ webhook: { url: 'https://10.0.0.1:8443' } });
  const checked = async () => {
    const { choices } = await readInstallation(api, '1.0.0');
    return (await checkPolicies(api, desiredObjects(choices, '1.0.0'))).filter(({ level }) => level !== 'ok');
  };
  expect(await checked()).toEqual([]);
  const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/longshore';
  memory.changeAs('somebody', path, { webhooks: [] });
  expect(await checked()).toMatchObject([{ detail: 'MutatingWebhookConfiguration longshore is of another release' }]);
  memory.objects.delete(path);
  expect(await checked()).toMatchObject([{ detail: 'MutatingWebhookConfiguration longshore is missing' }]);
});

test('policies of what was left out are not missing, whatever the server serves', async () => {
  await install({ capabilities: ['buckets'] });
  const { choices } = await readInstallation(api, '1.0.0');
  expect(await checkPolicies(api, desiredObjects(choices, '1.0.0'))).toEqual([]);
});

test.each([
  ['1.0.0', '1.1.0', true],
  ['1.1.0-rc.1', '1.1.0', true],
  ['1.1.0', '1.1.0', false],
  ['1.2.0', '1.1.0', false],
])('command %s in a cluster with %s: it is the older one: %s', async (version, installed, isOlder) => {
  await install({}, installed);
  const { isNewer, findings } = await readInstallation(api, version);
  const update = { level: 'problem', remedy: `npm install --global longshore@${installed}` };
  expect([isNewer, findings]).toEqual([isOlder, isOlder ? [expect.objectContaining(update)] : []]);
});

test('an upgrade that ended halfway counts as newer', async () => {
  await install({}, '1.0.0');
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/buckets.cosi.io';
  memory.changeAs('longshore-install', path, { metadata: { labels: { 'app.kubernetes.io/version': '1.1.0' } } });
  expect((await readInstallation(api, '1.0.0')).isNewer).toBe(true);
});

test('what was installed by other means is compared with the defaults, and a lost choice is told', async () => {
  expect(await readInstallation(api, '1.0.0')).toMatchObject({ isChosen: false, isNewer: false, findings: [] });
  await install({ capabilities: ['transfers'] });
  memory.changeAs('somebody', namespacePath, { metadata: { annotations: { 'longshore.dev/install': null } } });
  const { choices, findings } = await readInstallation(api, '1.0.0');
  expect(choices.capabilities).toContain('buckets');
  expect(findings).toEqual([
    expect.objectContaining({ level: 'warning', detail: expect.stringContaining('has lost what was chosen') }),
  ]);
});

test('who may not look is told so', async () => {
  const refuse = async () => {
    throw new ClusterError('denied', 'forbidden', 403);
  };
  const { findings } = await readInstallation({ get: refuse, list: refuse }, '1.0.0');
  expect(findings).toEqual([
    expect.objectContaining({ level: 'warning', detail: expect.stringContaining('forbidden') }),
  ]);
});
