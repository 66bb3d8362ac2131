import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { openCluster } from '../../cli/connect/open.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import { type InstalledCommand, installCommand, nodesHere } from '../support/installed-command.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { moveClaim, RunProcess } from './case-run-processes.ts';

const plane = ownControlPlane();
let installed: InstalledCommand;

beforeAll(async () => {
  installed = await installCommand();
});
afterAll(async () => {
  await installed?.[Symbol.asyncDispose]();
});

async function objectsIn<T = ClusterObject>(path: string): Promise<T[]> {
  return parseAllDocuments(await readFile(join(installed.package, path), 'utf8')).map((each) => each.toJS() as T);
}

test.each(nodesHere())('the installed command moves a claim with Node $version', async ({ path: node }) => {
  const args = ['--kubeconfig', plane.kubeconfig(), '--cluster', 'main', '--lease-seconds', '5'];
  const env = { PATH: join(node, '..') };
  const process = await RunProcess.start(args, env, [join(installed.bin, 'longshore')]);
  try {
    await process.until('/readyz', ({ text }) => text === 'main: forwarding\n');
    await moveClaim(plane.client());
    expect(await process.end('SIGTERM')).toBe(0);
    // Node itself may print warnings, such as that it is old.
    const lines = process.log.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => JSON.parse(line).level === 'error')).toEqual([]);
  } finally {
    if (process.isRunning) await process.end('SIGKILL');
  }
});

interface Workload extends ClusterObject {
  spec: { template: { metadata: object; spec: Record<string, unknown> } };
}

test('the API server accepts the Deployment, and its Pods where only restricted ones are allowed', async () => {
  await using cluster = await openCluster({ kubeconfig: plane.kubeconfig() });
  for (const object of await objectsIn('deployment/run.yaml')) await plane.client().create(object);
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await cluster.api.patch('/api/v1/namespaces/longshore-system', { metadata: { labels } });
  /** What the server would do; a field that it does not know is an error. */
  const create = async (group: string, resource: string, body: object) => {
    const path = `/${group}/namespaces/longshore-system/${resource}?dryRun=All&fieldValidation=Strict`;
    const answer = await cluster.connection.sendForBytes({ method: 'POST', path, body });
    return { status: answer.status, text: answer.body.toString('utf8') };
  };
  const [deployment, budget] = await objectsIn<Workload>('deployment/run-in-cluster.yaml');
  if (!deployment || !budget) throw new Error('there are two objects');
  expect(await create('apis/apps/v1', 'deployments', deployment)).toMatchObject({ status: 201 });
  expect(await create('apis/policy/v1', 'poddisruptionbudgets', budget)).toMatchObject({ status: 201 });
  const { metadata, spec } = deployment.spec.template;
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: 'run' }, spec };
  const made = await create('api/v1', 'pods', pod);
  expect(made).toMatchObject({ status: 201 });
  expect(made.text).toContain('"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"');
  const asRoot = { ...pod, spec: { ...spec, securityContext: { runAsUser: 0 } } };
  expect(await create('api/v1', 'pods', asRoot)).toMatchObject({
    status: 403,
    text: expect.stringContaining('violates PodSecurity'),
  });
  const misspelled = { ...pod, spec: { ...spec, serviceAcountName: 'run' } };
  expect(await create('api/v1', 'pods', misspelled)).toMatchObject({ status: 400 });
});
