import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments, stringify } from 'yaml';
import type { LeaseRecord } from '../../lib/forwarder/lease-record.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import { serviceAccountKubeconfig } from '../../tools/control-plane/manifests.ts';
import { consent, makeTransfer, untilComplete } from '../support/cluster-client.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { moveClaim, RunProcess } from './case-run-processes.ts';
import { expectMoved } from './case-waits.ts';

const plane = ownControlPlane();
const name = 'their cluster';
const lease: LeaseRecord = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { namespace: 'longshore-system', name: 'forward.longshore' },
};
const processes: RunProcess[] = [];
let folder = '';
let kubeconfig = '';

/** The administrator's kubeconfig as people have theirs: YAML, with several contexts, its certificates in files beside it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-run-'));
  kubeconfig = join(folder, 'config');
  const given = JSON.parse(await readFile(plane.kubeconfig(), 'utf8'));
  const [{ cluster }, { user }] = [given.clusters[0], given.users[0]];
  const entries: [object, string, string][] = [
    [cluster, 'certificate-authority', 'ca.pem'],
    [user, 'client-certificate', 'cert.pem'],
    [user, 'client-key', 'key.pem'],
  ];
  for (const [fields, field, file] of entries) await moveToFile(fields as Record<string, string>, field, file);
  const written = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'elsewhere',
    contexts: [
      { name: 'elsewhere', context: { cluster: 'nowhere', user: 'nobody' } },
      { name, context: { cluster: 'c', user: 'u' } },
    ],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
  };
  await writeFile(kubeconfig, stringify(written));
});

afterEach(async () => {
  await Promise.all(processes.splice(0).map((each) => each.end('SIGKILL')));
});
afterAll(() => rm(folder, { recursive: true }));

/** What the kubeconfig of the control plane has in it, if it has it. */
async function moveToFile(fields: Record<string, string>, field: string, file: string): Promise<void> {
  const data = fields[`${field}-data`];
  if (data === undefined) return;
  delete fields[`${field}-data`];
  fields[field] = file;
  await writeFile(join(folder, file), Buffer.from(data, 'base64'));
}

async function start(...more: string[]): Promise<RunProcess> {
  const args = ['--kubeconfig', kubeconfig, '--context', name, '--lease-seconds', '5', ...more];
  const process = await RunProcess.start(args);
  processes.push(process);
  return process;
}

const untilForwarding = (process: RunProcess) =>
  process.until('/readyz', ({ text }) => text === `${name}: forwarding\n`);
const untilWaiting = (process: RunProcess) =>
  process.until('/readyz', ({ status, text }) => status === 200 && text === `${name}: waiting for the lease\n`);

test('a transfer completes, its work is counted, and SIGTERM ends it well and gives the lease away', async () => {
  const process = await start('--capabilities', 'transfers');
  await untilForwarding(process);
  await moveClaim(plane.client());
  const { text } = await process.until('/metrics', ({ text }) => text.includes('longshore_transfers_completed_total'));
  expect(text).toMatch(/^longshore_transfers_completed_total\{cluster="their cluster".*\} 1$/m);
  expect(text).toMatch(/^longshore_messages_handled_total\{cluster="their cluster",function="match-transfer"\} \d+$/m);
  expect(text).toContain('longshore_forwarder_leading{cluster="their cluster"} 1\n');
  expect(await process.end('SIGTERM')).toBe(0);
  expect(
    process.log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).message)
      .at(-1),
  ).toBe('stopped');
  const { spec } = await plane.client().until<LeaseRecord>(lease);
  expect(spec?.holderIdentity ?? '').toBe('');
});

test('another process stands by, takes over when the first one is killed, and goes on with what that had begun', async () => {
  const first = await start();
  await untilForwarding(first);
  const second = await start();
  await untilWaiting(second);
  const client = plane.client();
  const transfer = await makeTransfer(client);
  await consent(client, transfer);
  expect(await first.end('SIGKILL')).toBe('SIGKILL');
  await untilForwarding(second);
  await untilComplete(client, transfer);
  await expectMoved(client, transfer);
  await moveClaim(plane.client());
  expect(await second.end('SIGINT')).toBe(0);
});

test('the role of deployment/run.yaml is enough, with a token that a program gives out', async () => {
  const text = await readFile(new URL('../../deployment/run.yaml', import.meta.url), 'utf8');
  for (const document of parseAllDocuments(text)) await plane.client().create(document.toJS() as ClusterObject);
  const account = { namespace: 'longshore-system', name: 'run' };
  const given = JSON.parse(await serviceAccountKubeconfig(plane.kubeconfig(), account));
  const { name: user, user: credentials } = given.users[0];
  const apiVersion = 'client.authentication.k8s.io/v1';
  const printed = { apiVersion, kind: 'ExecCredential', status: { token: credentials.token } };
  await writeFile(join(folder, 'printed.json'), JSON.stringify(printed));
  const exec = { apiVersion, command: 'cat', args: [join(folder, 'printed.json')], interactiveMode: 'Never' };
  const path = join(folder, 'with-program');
  await writeFile(path, stringify({ ...given, users: [{ name: user, user: { exec } }] }));
  const process = await RunProcess.start(['--cluster', name], { KUBECONFIG: path });
  processes.push(process);
  await untilForwarding(process);
  await moveClaim(plane.client());
  expect(await process.end('SIGTERM')).toBe(0);
  const lines = process.log.trim().split('\n');
  expect(lines.filter((line) => JSON.parse(line).level === 'error')).toEqual([]);
});
