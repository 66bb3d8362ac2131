import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { traceHeaders, traceOf, traceparentOf } from '../../lib/runtime/tracing.ts';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';
import { consent, makeTransfer, untilComplete } from '../support/cluster-client.ts';
import { type InProcess, runInProcess } from '../support/in-process.ts';
import { until } from '../support/patience.ts';
import { testClient, testKubeconfig } from './administrator.ts';

const client = testClient();
/** A cluster that was given has no log that can be read here. */
const auditLog = process.env.LONGSHORE_TEST_AUDIT_LOG;
let running: InProcess;

beforeAll(async () => {
  running = await runInProcess(testKubeconfig());
});
afterAll(() => running.stop());

interface Entry {
  auditID: string;
  userAgent: string;
  verb: string;
  user: { username: string };
  objectRef?: { resource: string; namespace?: string; name?: string; subresource?: string };
}

interface Line {
  trace: string;
  correlation: string;
  key: string;
  write: string;
  object: string;
  result: string;
}

const tracedId = /^([0-9a-f]{32})-[0-9a-f]{16}$/;

function writesLogged(): Line[] {
  const told = running.log.filter((line) => line.startsWith('write '));
  return told.map((line) => JSON.parse(line.slice('write '.length)) as Line);
}

/** What the functions that take messages have asked of the API server, as it tells itself. */
async function entriesIn(path: string): Promise<Entry[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.includes('"longshore/'));
  // Commands that people type, in other tests, belong to no change.
  const others = ['longshore/forward', 'longshore/cli'];
  return lines.map((line) => JSON.parse(line) as Entry).filter(({ userAgent }) => !others.includes(userAgent));
}

/** The server writes its log while it answers. */
async function untilFound<T>(look: () => Promise<T | undefined>, what: string): Promise<T> {
  let found: T | undefined;
  await until(`the audit log tells of ${what}`, async () => {
    found = await look();
    return found !== undefined;
  });
  return found as T;
}

const kindsOf: Record<string, string> = {
  storagetransferrequests: 'StorageTransferRequest',
  storagetransferapprovals: 'StorageTransferApproval',
  persistentvolumeclaims: 'PersistentVolumeClaim',
  persistentvolumes: 'PersistentVolume',
};

function isEntryOf({ trace, write, object }: Line, { auditID, verb, objectRef }: Entry): boolean {
  const [verbWritten, subresource] = write.split(' ');
  const place = [objectRef?.namespace, objectRef?.name].filter(Boolean).join('/');
  const isSamePart = objectRef?.subresource === subresource && verb === verbWritten;
  return auditID.startsWith(trace) && isSamePart && object === `${kindsOf[objectRef?.resource ?? '']} ${place}`;
}

test('the API server takes the id of its audit entry from whoever calls', async () => {
  const access = accessFromKubeconfig(await functionKubeconfig(testKubeconfig(), 'match-transfer'));
  const sent = traceHeaders(traceparentOf(traceOf(undefined, 'by hand')));
  const headers = { ...sent, authorization: `Bearer ${await access.token?.()}` };
  const echoed = await new Promise((resolve, reject) => {
    const call = request(`${access.server}/version`, { ca: access.certificateAuthority, headers, agent: false });
    call
      .on('response', (answer) => resolve(answer.resume().headers['audit-id']))
      .on('error', reject)
      .end();
  });
  expect(echoed).toBe(sent['audit-id']);
});

test('each write of a transfer is found in the log by the change that led to it, and says so itself', async () => {
  const transfer = await makeTransfer(client);
  await consent(client, transfer);
  await untilComplete(client, transfer);
  const keys = [transfer.request, transfer.approval].map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  const names = [...keys, transfer.volume.metadata.name];
  const writes = writesLogged().filter(({ key, result }) => names.includes(key) && result === 'ok');
  expect(writes.length).toBeGreaterThan(5);
  const tracesOf = Map.groupBy(writes, ({ correlation }) => correlation);
  for (const ofOne of tracesOf.values()) expect(new Set(ofOne.map(({ trace }) => trace)).size).toBe(1);
  expect(tracesOf.size).toBeGreaterThan(1);
  if (auditLog === undefined) return;
  for (const line of writes) {
    const look = async () => (await entriesIn(auditLog)).find((entry) => isEntryOf(line, entry));
    const { userAgent, user } = await untilFound(look, `${line.write} ${line.object} of ${line.trace}`);
    expect(`system:serviceaccount:longshore-system:${userAgent.replace('longshore/', '')}`).toBe(user.username);
  }
  const entries = await entriesIn(auditLog);
  for (const { auditID } of entries) expect(auditID).toMatch(tracedId);
  expect(new Set(entries.map(({ auditID }) => auditID)).size).toBe(entries.length);
});
