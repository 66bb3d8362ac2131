import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiException } from '@kubernetes/client-node';
import { checkWebhook } from '../../cli/check/webhook-check.ts';
import { ClusterApi } from '../../cli/connect/cluster-api.ts';
import { defaultChoices } from '../../lib/install/choices.ts';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { startControlPlane } from '../../tools/control-plane/control-plane.ts';
import type { ControlPlane } from '../../tools/control-plane/control-plane-options.ts';
import { applyManifests, changesClaims, serviceAccountKubeconfig } from '../../tools/control-plane/manifests.ts';
import { ClusterClient } from '../support/cluster-client.ts';
import { until } from '../support/patience.ts';
import { startWebhook, type Webhook } from '../support/webhook.ts';
import { needs } from './case-needs.ts';
import { writer } from './case-snapshot-claims.ts';
import { cases, maker } from './case-webhook.ts';

/** The same is done with the policies and then, without them, with the webhook, on a server that has both. */

/** The server forgets them in this order, and the last one is looked for. */
const policies = ['keep-references-to-snapshots', 'restored-claims-are-ordinary', 'hold-accepting-claims'];
let plane: ControlPlane | undefined;
let webhook: Webhook | undefined;
const results: Record<'policy' | 'webhook' | 'neither', Map<string, unknown>> = {
  policy: new Map(),
  webhook: new Map(),
  neither: new Map(),
};

const { describe: describeBoth } = needs('MutatingAdmissionPolicy');

async function doAll(kubeconfigPath: string, way: keyof typeof results): Promise<void> {
  const client = new ClusterClient(kubeconfigPath);
  const namespace = `by-${way}`;
  await client.createNamespace(namespace);
  const apiGroup = 'rbac.authorization.k8s.io';
  const about = { apiVersion: `${apiGroup}/v1`, metadata: { namespace, name: 'claims' } };
  const rules = [{ apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: ['*'] }];
  const subjects = [{ kind: 'ServiceAccount', namespace, name: 'default' }];
  await client.create({ kind: 'Role', ...about, ...{ rules } });
  const roleRef = { apiGroup, kind: 'Role', name: 'claims' };
  await client.create({ kind: 'RoleBinding', ...about, ...{ roleRef, subjects } });
  const account = { namespace, name: 'default' };
  const writers = {
    user: writer(await serviceAccountKubeconfig(kubeconfigPath, account)),
    administrator: writer(await readFile(kubeconfigPath, 'utf8')),
  };
  for (const [index, [name, act]] of Object.entries(cases).entries()) {
    const outcome = await act(writers, maker(namespace, index)).catch((error) => messageOf(error));
    results[way].set(name, withoutMoment(outcome, namespace));
  }
}

function messageOf(error: unknown): string {
  if (error instanceof ApiException) return JSON.parse(error.body).message;
  throw error;
}

/** Without what differs each time, and who the two users are. */
function withoutMoment(outcome: unknown, namespace: string): unknown {
  const momentary = ['uid', 'resourceVersion', 'creationTimestamp', 'time'];
  const text = JSON.stringify(outcome, (key, value) => {
    if (momentary.includes(key)) return undefined;
    // The server sorts them by the second of the write before it looks at the name.
    return key === 'managedFields' ? value.toSorted(byManager) : value;
  });
  return JSON.parse(text.replaceAll(namespace, 'namespace'));
}

function byManager(one: { manager: string }, other: { manager: string }): number {
  return one.manager.localeCompare(other.manager);
}

describeBoth('the webhook does what the policies do', () => {
  beforeAll(async () => {
    plane = await startControlPlane({});
    const { kubeconfigPath } = plane;
    await applyManifests(kubeconfigPath);
    await doAll(kubeconfigPath, 'policy');
    const client = new ClusterClient(kubeconfigPath);
    const apiVersion = 'admissionregistration.k8s.io/v1';
    for (const name of policies) {
      const metadata = { name: `longshore-${name}` };
      await client.delete({ apiVersion, kind: 'MutatingAdmissionPolicyBinding', metadata });
    }
    await until('the policies are forgotten', async () => !(await changesClaims(kubeconfigPath)));
    await doAll(kubeconfigPath, 'neither');
    webhook = await startWebhook(kubeconfigPath);
    await doAll(kubeconfigPath, 'webhook');
  });
  afterAll(async () => {
    await plane?.stop();
    await webhook?.stop();
  });

  test.each(Object.keys(cases))('%s', (name) => {
    expect(results.policy.has(name)).toBe(true);
    expect(results.webhook.get(name)).toEqual(results.policy.get(name));
  });

  test('and `longshore check` sees whether it answers the server', async () => {
    const kubeconfig = await readFile(plane?.kubeconfigPath ?? '', 'utf8');
    const connection = new Connection(accessFromKubeconfig(kubeconfig));
    const choices = { ...defaultChoices, webhook: { url: 'https://127.0.0.1:8443' } };
    const found = async () => (await checkWebhook(new ClusterApi(connection), choices, new Date()))[0]?.level;
    expect(await found()).toBe('ok');
    await webhook?.stop();
    webhook = undefined;
    expect(await found()).toBe('problem');
    connection.close();
  });

  test('which is much: without both, most of these claims are refused or stored in another form', () => {
    const differing = Object.keys(cases).filter(
      (name) => JSON.stringify(results.neither.get(name)) !== JSON.stringify(results.policy.get(name)),
    );
    expect(differing.length).toBeGreaterThan(Object.keys(cases).length / 2);
  });
});
