import { randomUUID } from 'node:crypto';
import type { Bucket } from '../lib/capabilities/buckets/objects.ts';
import { resources } from '../lib/kubernetes/resources.ts';
import { type InProcess, runInProcess } from '../test/support/in-process.ts';
import { startControlPlane } from '../tools/control-plane/control-plane.ts';
import type { ControlPlane } from '../tools/control-plane/control-plane-options.ts';
import { applyManifests } from '../tools/control-plane/manifests.ts';
import { bucket, bucketClass } from '../tools/local/bucket-objects.ts';
import { ClusterClient } from '../tools/local/cluster-client.ts';
import { type LocalAws, startLocalAws } from '../tools/local-aws/local-aws.ts';
import { countCalls } from './audit.ts';
import { CountedStore } from './counted-store.ts';
import { LifeWatch } from './life-watch.ts';
import { compared, median, type Report, type Result, result } from './report.ts';

const singles = 20;
const atOnce = 50;
const handlers = ['register-driver', 'bind-bucket', 'provision-bucket', 'copy-secret'];
const namespace = 'bench';
const made = 'the driver alone, creating a bucket and granting access';
const taken = 'the driver alone, revoking access and deleting a bucket';

/**
 * Measures the duration and the cost of a bucket, on a real control plane and a local AWS, with handlers and queue in
 * one process.
 */
export async function bucketBench(progress: (line: string) => void): Promise<Report> {
  const controlPlane = await startControlPlane({ progress, auditLog: true });
  try {
    const localAws = await startLocalAws({ progress });
    try {
      await applyManifests(controlPlane.kubeconfigPath, progress);
      return await measure(controlPlane, localAws, progress);
    } finally {
      await localAws.stop();
    }
  } finally {
    await controlPlane.stop();
  }
}

interface Bench {
  client: ClusterClient;
  store: CountedStore;
  life: LifeWatch;
  controlPlane: ControlPlane;
  running: InProcess;
}

async function measure(
  controlPlane: ControlPlane,
  localAws: LocalAws,
  progress: (line: string) => void,
): Promise<Report> {
  const { kubeconfigPath } = controlPlane;
  const client = new ClusterClient(kubeconfigPath);
  await client.createNamespace(namespace);
  const store = new CountedStore(localAws);
  const life = await LifeWatch.start(kubeconfigPath, resources.bucket);
  const provisioner = { drivers: store.drivers, identity: 'bench', worker: 'bench' };
  const running = await runInProcess(kubeconfigPath, { provisioner });
  const bench = { client, store, life, controlPlane, running };
  try {
    await client.create(bucketClass('bench', { releasePolicy: 'Delete' }));
    await live(bench, 'warm-up');
    progress('one after another');
    const alone = await oneAfterAnother(bench);
    progress(`${atOnce} at once`);
    const together = await allAtOnce(bench);
    const conditions = {
      node: process.version,
      buckets: singles,
      queue: 'in process',
      figures: 'medians, means for counts',
    };
    return { name: 'bucket', conditions, results: [...alone, ...together] };
  } finally {
    await running.stop();
    life.stop();
  }
}

async function oneAfterAnother(bench: Bench): Promise<Result[]> {
  const lives: Life[] = [];
  const bare: Life[] = [];
  const before = await costs(bench);
  for (let index = 0; index < singles; index += 1) lives.push(await live(bench, `single-${index}`));
  const after = await costs(bench);
  for (let index = 0; index < singles; index += 1) bare.push(await bareLife(bench.store));
  const per = (name: keyof typeof after) => (after[name] - before[name]) / singles;
  const ofDriver = median(bare.map(({ madeMs }) => madeMs));
  const ofDriverEnd = median(bare.map(({ goneMs }) => goneMs));
  return [
    result(made, ofDriver, 'ms'),
    compared(
      'Bucket created → bound, with its Secret there',
      median(lives.map(({ madeMs }) => madeMs)),
      'ms',
      made,
      ofDriver,
    ),
    result(taken, ofDriverEnd, 'ms'),
    compared('Bucket deleted → gone', median(lives.map(({ goneMs }) => goneMs)), 'ms', taken, ofDriverEnd),
    compared('object writes a bucket, made and deleted', per('objectWrites'), 'calls', 'budget', 22),
    compared('handler invocations a bucket', per('invocations'), 'calls', 'budget', 15),
    result('reads a bucket', per('reads'), 'calls'),
    result('Kubernetes Events a bucket', per('events'), 'calls'),
    result('calls to S3 a bucket', per('s3'), 'calls'),
    result('calls to IAM a bucket', per('iam'), 'calls'),
  ];
}

interface Life {
  madeMs: number;
  goneMs: number;
}

async function live({ client, life }: Bench, name: string): Promise<Life> {
  const object = bucket(namespace, name, 'bench');
  const created = performance.now();
  await client.create(object);
  const boundAt = await life.until(object.metadata);
  const deleted = performance.now();
  await client.delete(object);
  return { madeMs: boundAt - created, goneMs: (await life.until(object.metadata, 'gone')) - deleted };
}

/** The same bucket and the same access without a cluster. */
async function bareLife({ driver }: CountedStore): Promise<Life> {
  const owner = randomUUID();
  const name = owner.replaceAll('-', '');
  const parameters = driver.settleParameters({});
  const request = { bucket: name, owner, cluster: 'bench', parameters, secrets: {}, deadline: Date.now() + 60_000 };
  const requester = { namespace, name };
  const created = performance.now();
  expectResult('created', await driver.createBucket({ ...request, requester }));
  const access = { flow: 'Greenfield', mode: 'rw', held: {} } as const;
  expectResult('granted', await driver.grantBucketAccess({ ...request, requester, ...access }));
  const deleted = performance.now();
  expectResult('revoked', await driver.revokeBucketAccess(request));
  expectResult('deleted', await driver.deleteBucket(request));
  return { madeMs: deleted - created, goneMs: performance.now() - deleted };
}

function expectResult(expected: string, outcome: { result: string }): void {
  if (outcome.result !== expected) throw new Error(`the driver answered ${JSON.stringify(outcome)}`);
}

async function costs({ controlPlane, running, store }: Bench) {
  if (!controlPlane.auditLogPath) throw new Error('calls are counted by the audit log, which a given cluster has not');
  const calls = await countCalls(controlPlane.auditLogPath, handlers);
  const invocations = Object.values(running.invocations).reduce((total, count) => total + count, 0);
  return { ...calls, invocations, ...store.calls };
}

async function allAtOnce({ client, life, store }: Bench): Promise<Result[]> {
  const bare = performance.now();
  const all = Array.from({ length: atOnce });
  await Promise.all(all.map(() => bareLife(store)));
  const bareMs = performance.now() - bare;
  const buckets: Bucket[] = all.map((_, index) => bucket(namespace, `many-${index}`, 'bench'));
  const created = performance.now();
  await Promise.all(buckets.map((each) => client.create(each)));
  const bound = await Promise.all(buckets.map(({ metadata }) => life.until(metadata)));
  const deleted = performance.now();
  await Promise.all(buckets.map((each) => client.delete(each)));
  const gone = await Promise.all(buckets.map(({ metadata }) => life.until(metadata, 'gone')));
  const totalMs = Math.max(...bound) - created + Math.max(...gone) - deleted;
  const baseline = `the driver alone, ${atOnce} at once, made and deleted`;
  return [
    result(baseline, bareMs, 'ms'),
    result(`${atOnce} at once: until the last is bound`, Math.max(...bound) - created, 'ms'),
    result(`${atOnce} at once: until the last is gone`, Math.max(...gone) - deleted, 'ms'),
    compared(`${atOnce} at once: both`, totalMs, 'ms', baseline, bareMs),
  ];
}
