import { finalizer } from '../lib/capabilities/data-sources/names.ts';
import type { VolumeSnapshot } from '../lib/capabilities/data-sources/objects.ts';
import type { Claim } from '../lib/kubernetes/objects.ts';
import { resources } from '../lib/kubernetes/resources.ts';
import { serveGrants } from '../test/cluster/case-grants.ts';
import { type InProcess, runInProcess } from '../test/support/in-process.ts';
import { startControlPlane } from '../tools/control-plane/control-plane.ts';
import type { ControlPlane } from '../tools/control-plane/control-plane-options.ts';
import { applyManifests } from '../tools/control-plane/manifests.ts';
import { claimFrom, emptyClaim, provisionedClass, snapshotClass, snapshotOf } from '../tools/csi-stand-in/objects.ts';
import { startCsiStandIn } from '../tools/csi-stand-in/stand-in.ts';
import { ClusterClient } from '../tools/local/cluster-client.ts';
import { claimAcross, claimByLink, link, snapshotGrant } from '../tools/local/snapshot-objects.ts';
import { countCalls } from './audit.ts';
import { LifeWatch } from './life-watch.ts';
import { compared, median, type Report, type Result, result } from './report.ts';

const singles = 20;
const atOnce = 20;
const driver = 'csi.bench';
const className = 'bench';
const restore = 'a snapshot restored in its own namespace, by its provisioner alone';
const source = emptyClaim({ namespace: 'prod', name: 'data', className });
const snapshot = snapshotOf(source, 'backup', className);

/**
 * Measures how long a claim takes to get the data of a snapshot in another namespace, compared with one in the
 * snapshot's own.
 */
export async function snapshotBench(progress: (line: string) => void): Promise<Report> {
  const controlPlane = await startControlPlane({ progress, auditLog: true });
  try {
    const { kubeconfigPath } = controlPlane;
    const standIn = await startCsiStandIn(kubeconfigPath, { drivers: [{ name: driver }] });
    try {
      await applyManifests(kubeconfigPath, progress);
      await prepare(new ClusterClient(kubeconfigPath));
      return await measure(controlPlane, progress);
    } finally {
      await standIn.stop();
    }
  } finally {
    await controlPlane.stop();
  }
}

async function prepare(client: ClusterClient): Promise<void> {
  await serveGrants(client, 'v1');
  for (const namespace of ['prod', 'test']) await client.createNamespace(namespace);
  await client.create(provisionedClass({ name: className, driver }));
  await client.create(snapshotClass({ name: className, driver }));
  await client.create(source);
  await client.until<Claim>(source, ({ status }) => status?.phase === 'Bound');
  await client.create(snapshot);
  await client.until<VolumeSnapshot>(snapshot, ({ status }) => status?.readyToUse === true);
  await client.create(snapshotGrant({ namespace: 'prod', name: 'to-test' }, 'test'));
  await client.create(link({ namespace: 'test', name: 'backup' }, { namespace: 'prod', name: 'backup' }));
}

interface Bench {
  client: ClusterClient;
  life: LifeWatch;
  controlPlane: ControlPlane;
  running: InProcess;
}

async function measure(controlPlane: ControlPlane, progress: (line: string) => void): Promise<Report> {
  const client = new ClusterClient(controlPlane.kubeconfigPath);
  const life = await LifeWatch.start(controlPlane.kubeconfigPath, resources.claim);
  const running = await runInProcess(controlPlane.kubeconfigPath);
  const bench = { client, life, controlPlane, running };
  try {
    await live(bench, inOwnNamespace('warm-up'));
    await live(bench, byLink('warm-up'));
    progress('one after another');
    const alone = await oneAfterAnother(bench);
    progress(`${atOnce} at once`);
    const together = await allAtOnce(bench);
    const figures = 'medians, means for counts';
    const conditions = { node: process.version, claims: singles, queue: 'in process', driver: 'stand-in', figures };
    return { name: 'snapshot', conditions, results: [...alone, ...together] };
  } finally {
    await running.stop();
    life.stop();
  }
}

async function oneAfterAnother(bench: Bench): Promise<Result[]> {
  const [restored, linked, standard]: number[][] = [[], [], []];
  for (let index = 0; index < singles; index += 1) restored?.push(await live(bench, inOwnNamespace(`own-${index}`)));
  const before = await costs(bench);
  for (let index = 0; index < singles; index += 1) {
    linked?.push(await live(bench, byLink(`link-${index}`)));
    standard?.push(await live(bench, inStandardField(`field-${index}`)));
  }
  const after = await costs(bench);
  const per = (name: keyof typeof after) => (after[name] - before[name]) / (2 * singles);
  const baseline = median(restored ?? []);
  return [
    result(restore, baseline, 'ms'),
    compared('claim by VolumeSnapshotLink created → bound', median(linked ?? []), 'ms', restore, baseline),
    compared('claim by dataSourceRef.namespace created → bound', median(standard ?? []), 'ms', restore, baseline),
    compared('object writes a claim', per('objectWrites'), 'calls', 'budget', 12),
    compared('handler invocations a claim', per('invocations'), 'calls', 'budget', 4),
    compared('most reads of one object in one invocation', bench.running.maxReadsOfOneObject(), 'calls', 'budget', 1),
    result('reads a claim', per('reads'), 'calls'),
    result('Kubernetes Events a claim', per('events'), 'calls'),
  ];
}

/** Returns the time until it was bound, once nothing is left to do for it. */
async function live({ client, life }: Bench, claim: Claim): Promise<number> {
  const created = performance.now();
  await client.create(claim);
  const boundAt = await life.until(claim.metadata);
  await client.until<Claim>(claim, isSettled);
  return boundAt - created;
}

function isSettled({ metadata, status }: Claim): boolean {
  const isTrue = status?.conditions?.some(({ type, status: is }) => type === 'DataPopulated' && is === 'True');
  return isTrue === true && metadata.finalizers?.includes(finalizer) !== true;
}

async function costs({ controlPlane, running }: Bench) {
  if (!controlPlane.auditLogPath) throw new Error('calls are counted by the audit log, which a given cluster has not');
  const calls = await countCalls(controlPlane.auditLogPath, ['populate-claim']);
  return { ...calls, invocations: running.invocations['populate-claim'] ?? 0 };
}

async function allAtOnce(bench: Bench): Promise<Result[]> {
  const names = Array.from({ length: atOnce }, (_, index) => `many-${index}`);
  const ownMs = await together(bench, names.map(inOwnNamespace));
  const linkMs = await together(bench, names.map(byLink));
  const baseline = `${atOnce} restored at once in the snapshot's own namespace`;
  return [result(baseline, ownMs, 'ms'), compared(`${atOnce} at once by link`, linkMs, 'ms', baseline, ownMs)];
}

async function together({ client, life }: Bench, claims: Claim[]): Promise<number> {
  const created = performance.now();
  await Promise.all(claims.map((claim) => client.create(claim)));
  const bound = await Promise.all(claims.map(({ metadata }) => life.until(metadata)));
  for (const claim of claims) await client.until<Claim>(claim, isSettled);
  return Math.max(...bound) - created;
}

function inOwnNamespace(name: string): Claim {
  return claimFrom(snapshot, { namespace: 'prod', name, className });
}

function byLink(name: string): Claim {
  return claimByLink('backup', { namespace: 'test', name, className });
}

function inStandardField(name: string): Claim {
  return claimAcross({ namespace: 'prod', name: 'backup' }, { namespace: 'test', name, className });
}
