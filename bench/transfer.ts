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

const singles = 25;
const atOnce = [20, 100];
const handlers = ['match-transfer', 'match-approval', 'rebind-volume'];

const oneBinding = 'volume controller binding a pre-bound claim';

/**
 * Measures the duration and the cost of a transfer, on a real control plane with the handlers and the queue in one
 * process.
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
  const running = await runInProcess(controlPlane.kubeconfigPath);
  try {
    progress('one after another');
    const alone = await oneAfterAnother(client, bound);
    const costs = await costsOf(controlPlane, running, singles);
    const together: Result[] = [];
    for (const count of atOnce) {
      progress(`${count} at once`);
      together.push(...(await allAtOnce(client, bound, count)));
    }
    return {
      name: 'transfer',
      conditions: {
        node: process.version,
        transfers: singles,
        queue: 'in process',
        figures: 'medians, means for counts',
      },
      results: [...alone, ...costs, ...together],
    };
  } finally {
    await running.stop();
    bound.stop();
  }
}

async function oneAfterAnother(client: ClusterClient, bound: LifeWatch) {
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

async function allAtOnce(client: ClusterClient, bound: LifeWatch, count: number): Promise<Result[]> {
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
