import type { TransferRequest } from '../lib/kubernetes/objects.ts';
import { resources } from '../lib/kubernetes/resources.ts';
import { ClusterClient, makeTransfer, type Transfer, untilComplete } from '../test/support/cluster-client.ts';
import { type InProcess, runInProcess } from '../test/support/in-process.ts';
import { startControlPlane } from '../tools/control-plane/control-plane.ts';
import type { ControlPlane } from '../tools/control-plane/control-plane-options.ts';
import { applyManifests } from '../tools/control-plane/manifests.ts';
import { countCalls } from './audit.ts';
import { LifeWatch } from './life-watch.ts';
import { compared, median, type Report, type Result, result } from './report.ts';
import { RunCommand } from './run/command.ts';

const singles = 25;
const atOnce = [20, 100];
const handlers = ['match-transfer', 'match-approval', 'rebind-volume'];

const oneBinding = 'volume controller binding a pre-bound claim';

/**
 * Measures the duration and the cost of a transfer, on a real control plane: with the handlers and a queue in this process,
 * and with `longshore run`.
 */
export async function transfer(progress: (line: string) => void): Promise<Report> {
  const controlPlane = await startControlPlane({ progress, auditLog: true });
  try {
    await applyManifests(controlPlane.kubeconfigPath, progress);
    return await measure(controlPlane, progress);
  } finally {
    await controlPlane.stop();
  }
}

async function measure(controlPlane: ControlPlane, progress: (line: string) => void): Promise<Report> {
  const client = new ClusterClient(controlPlane.kubeconfigPath);
  const bound = await LifeWatch.start(controlPlane.kubeconfigPath, resources.claim);
  const served = { client, bound, progress };
  try {
    const inProcess = await measureInProcess(controlPlane, served);
    const asProcess = await measureRun(controlPlane, served);
    return {
      name: 'transfer',
      conditions: { node: process.version, transfers: singles, figures: 'medians, means for counts' },
      results: [...inProcess, ...asProcess.map((each) => ({ ...each, metric: `longshore run: ${each.metric}` }))],
    };
  } finally {
    bound.stop();
  }
}

interface Served {
  client: ClusterClient;
  bound: LifeWatch;
  progress: (line: string) => void;
}

async function measureInProcess(controlPlane: ControlPlane, served: Served): Promise<Result[]> {
  const running = await runInProcess(controlPlane.kubeconfigPath);
  try {
    served.progress('in process: one after another');
    const alone = await oneAfterAnother(served);
    const costs = await costsOf(controlPlane, running, singles);
    return [...alone, ...costs, ...(await together(served))];
  } finally {
    await running.stop();
  }
}

/** `longshore run` as it is published, with all capabilities. */
async function measureRun({ kubeconfigPath }: ControlPlane, served: Served): Promise<Result[]> {
  const run = await RunCommand.start({ kubeconfigPath });
  try {
    await run.untilForwarding();
    served.progress('longshore run: one after another');
    const results = [...(await oneAfterAnother(served)), ...(await together(served))];
    return [...results, result('most memory', (await run.process.memoryMb()).peak, 'MB')];
  } finally {
    await run.process.stop();
  }
}

async function together(served: Served): Promise<Result[]> {
  const results: Result[] = [];
  for (const count of atOnce) {
    served.progress(`${count} at once`);
    results.push(...(await allAtOnce(served, count)));
  }
  return results;
}

async function oneAfterAnother({ client, bound }: Served): Promise<Result[]> {
  const plain: number[] = [];
  const moved: number[] = [];
  for (let index = 0; index < singles; index += 1) {
    let started = 0;
    const transfer = await makeTransfer(client, () => {
      started = performance.now();
    });
    plain.push((await bound.until(transfer.source.metadata)) - started);
    moved.push(await moveOne(client, bound, transfer));
  }
  const results = [
    result(oneBinding, median(plain), 'ms'),
    compared('second object created → target bound', median(moved), 'ms', oneBinding, median(plain)),
    result('slowest', Math.max(...moved), 'ms'),
  ];
  return results;
}

async function moveOne(client: ClusterClient, bound: LifeWatch, transfer: Transfer): Promise<number> {
  await client.create(transfer.request);
  const waits = ({ status }: TransferRequest) => status?.conditions?.some(({ reason }) => reason === 'ApprovalMissing');
  await client.until<TransferRequest>(transfer.request, (request) => waits(request) === true);
  const started = performance.now();
  await client.create(transfer.approval);
  const at = await bound.until(transfer.target.metadata);
  await untilComplete(client, transfer);
  return at - started;
}

async function costsOf(controlPlane: ControlPlane, running: InProcess, transfers: number): Promise<Result[]> {
  if (!controlPlane.auditLogPath)
    throw new Error('calls are counted by the audit log, which a cluster that was given has not');
  const calls = await countCalls(controlPlane.auditLogPath, handlers);
  const invocations = Object.values(running.invocations).reduce((total, count) => total + count, 0);
  return [
    compared('object writes a transfer', calls.objectWrites / transfers, 'calls', 'budget', 13),
    compared('handler invocations a transfer', invocations / transfers, 'calls', 'budget', 4),
    compared('most reads of one object in one invocation', running.maxReadsOfOneObject(), 'calls', 'budget', 1),
    result('reads a transfer', calls.reads / transfers, 'calls'),
    result('Kubernetes Events a transfer', calls.events / transfers, 'calls'),
  ];
}

async function allAtOnce({ client, bound }: Served, count: number): Promise<Result[]> {
  const { transfers, bindingMs } = await makeAtOnce(client, bound, count);
  await Promise.all(transfers.map(({ request }) => client.create(request)));
  const started = performance.now();
  await Promise.all(transfers.map(({ approval }) => client.create(approval)));
  const times = await Promise.all(transfers.map(({ target }) => bound.until(target.metadata)));
  for (const transfer of transfers) await untilComplete(client, transfer);
  const baseline = `volume controller binding ${count} pre-bound claims at once`;
  const metric = `${count} at once: until the last target is bound`;
  return [result(baseline, bindingMs, 'ms'), compared(metric, Math.max(...times) - started, 'ms', baseline, bindingMs)];
}

/** Creates the claims of many transfers at once, which is the best that the volume controller can do. */
async function makeAtOnce(client: ClusterClient, bound: LifeWatch, count: number) {
  let started = Number.POSITIVE_INFINITY;
  const onClaim = () => {
    started = Math.min(started, performance.now());
  };
  const transfers = await Promise.all(Array.from({ length: count }, () => makeTransfer(client, onClaim)));
  const times = await Promise.all(transfers.map(({ source }) => bound.until(source.metadata)));
  return { transfers, bindingMs: Math.max(...times) - started };
}
