import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { patient } from '../../tools/processes/patience.ts';
import { consent, makeTransfer, untilComplete } from '../support/cluster-client.ts';
import type { Ended } from '../support/longshore-command.ts';
import { installedCluster } from './case-installed.ts';
import { RunProcess } from './case-run-processes.ts';

const cluster = installedCluster();
const processes: RunProcess[] = [];
afterEach(async () => {
  await Promise.all(processes.splice(0).map((each) => each.end('SIGKILL')));
});

async function start(): Promise<RunProcess> {
  const args = ['--kubeconfig', cluster.runKubeconfig(), '--cluster', 'main', '--lease-seconds', '5'];
  const process = await RunProcess.start([...args, '--capabilities', 'transfers']);
  processes.push(process);
  await process.until('/readyz', ({ text }) => text === 'main: forwarding\n');
  return process;
}

/** A command takes as much of the processor as what it waits for. */
const pollMs = 1_000;

/** Runs a command until it says so. */
async function until(args: readonly [string, ...string[]], condition: (ended: Ended) => boolean): Promise<Ended> {
  const deadline = performance.now() + patient(60_000);
  for (;;) {
    const ended = await cluster.asAdministrator(...args);
    if (condition(ended) || performance.now() > deadline) return ended;
    await pause(pollMs);
  }
}

test('what fails now is seen, why and where; once it is fixed, a retry does at once what would rest for minutes', async () => {
  const client = cluster.client();
  await start();
  await cluster.takeAway('namespaces');
  const transfer = await makeTransfer(client);
  await consent(client, transfer);
  const { namespace = '', name } = transfer.request.metadata;
  const object = `streq/${name}`;
  const seen = await until(['status'], ({ out }) => /match-transfer +streq.*Denied/.test(out));
  expect(seen.code).toBe(3);
  expect(seen.out).toMatch(/^local +NEEDS YOU/m);
  expect(seen.out).toMatch(/! 1 object is failing\n +run: longshore check/);
  expect(seen.out).toMatch(new RegExp(`match-transfer +streq/${namespace}/${name} +Denied`));
  expect(seen.out).toMatch(/^longshore +active +/m);

  const tried = (text: string) => Number(/(\d+) tr(?:y|ies) in/.exec(text)?.[1] ?? 0);
  const why = await until(['why', object, '-n', namespace], ({ out }) => tried(out) >= 4);
  expect(why.code).toBe(3);
  expect(why.out).toContain('FAILING: match-transfer: Denied:');
  expect(why.out).toContain(`When it is fixed: longshore retry ${object} -n ${namespace}`);
  expect(why.out).toContain('StorageTransferApproval');

  await cluster.giveBack();
  const retried = await cluster.asAdministrator('retry', object, '-n', namespace);
  expect(retried).toMatchObject({ code: 0, out: expect.stringContaining('is tried now') });
  await untilComplete(client, transfer);
  // The process says with its next renewal that nothing fails any more.
  const done = await until(['why', object, '-n', namespace], ({ code }) => code === 0);
  expect([done.code, done.out]).toEqual([
    0,
    expect.stringContaining('approved ✓  source ready ✓  fenced ✓  moved ✓  complete ✓'),
  ]);
  const again = await cluster.asAdministrator('retry', object, '-n', namespace);
  expect(again.out).toContain('nothing is unfinished, and nothing failed');
});

test('a process that was killed is no leader, and nobody can be asked; what waits for people is no failure', async () => {
  const client = cluster.client();
  const process = await start();
  const transfer = await makeTransfer(client);
  await client.create(transfer.request);
  const { namespace = '', name } = transfer.request.metadata;
  const told = await until(['why', `streq/${name}`, '-n', namespace], ({ out }) => out.includes('ApprovalMissing'));
  expect(told.out).toContain('approved …  source ready ·  fenced ·  moved ·  complete ·');
  expect(told.out).toContain('Waiting on: the owner in the other namespace');
  const well = await cluster.asAdministrator('status', '-n', namespace);
  expect([well.code, well.out]).toEqual([0, expect.stringMatching(/^local +OK/)]);
  const json = JSON.parse((await cluster.asAdministrator('status', '-o', 'json')).out);
  expect(json).toMatchObject({ leaders: [{ identity: 'longshore', state: 'leads' }], needsYou: [] });

  await process.end('SIGKILL');
  const dead = await until(['status'], ({ code }) => code === 3);
  expect(dead.out).toMatch(/! no process is active: longshore\/\w+ has not renewed its lease for \d+s/);
  const asked = await cluster.asAdministrator('retry', `streq/${name}`, '-n', namespace);
  expect([asked.code, asked.err]).toEqual([1, expect.stringContaining('no process is active')]);
});

test('a name that is not there is answered with those that are', async () => {
  const client = cluster.client();
  const transfer = await makeTransfer(client);
  const { namespace = '' } = transfer.source.metadata;
  const close = await cluster.asAdministrator('why', 'pvc/dtaa', '-n', namespace);
  expect([close.code, close.err]).toEqual([1, expect.stringContaining('did you mean data?')]);
  const elsewhere = await cluster.asAdministrator('retry', 'pvc/data', '-n', 'kube-public');
  expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringContaining(namespace)]);
});
