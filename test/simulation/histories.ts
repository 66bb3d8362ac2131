import type { Cluster } from '../../lib/cluster/cluster.ts';
import { isClusterError } from '../../lib/cluster/errors.ts';
import type { Claim, ClusterObject, Volume } from '../../lib/cluster/objects.ts';
import { nameOf, resources } from '../../lib/cluster/resources.ts';
import { preconditionsOf } from '../../lib/reconcile/step.ts';
import { nameOfObject } from './fake-cluster.ts';

/** Where a history runs: on the fake cluster or on a real one. */
export interface Stage {
  cluster: Cluster;
  namespace: string;
  /** Answers what is seen, as the step at this position, once the controllers have done what they do. */
  settled: (see: () => Promise<string>, position: number) => Promise<string>;
}

export interface History {
  name: string;
  /** What was seen, step by step. */
  run: (stage: Stage) => Promise<string[]>;
}

export const histories: History[] = [
  { name: 'preconditions', run: preconditions },
  { name: 'deletion and finalizers', run: deletion },
  { name: 'refusals', run: refusals },
  { name: 'status subresource', run: status },
  { name: 'claimref moves', run: claimRefMoves },
  { name: 'late target is collected', run: collection },
];

async function preconditions({ cluster, namespace }: Stage): Promise<string[]> {
  const made = await cluster.create(nameOf(resources.claim, namespace, 'one'), claim(namespace, 'one'));
  const name = nameOfObject(made);
  const first = preconditionsOf(made);
  const changed = await cluster.patch<Claim>(name, annotated('a', 'b'), { preconditions: first });
  const present = preconditionsOf(changed);
  const idle = await cluster.patch<Claim>(name, annotated('a', 'b'), { preconditions: present });
  const removed = await cluster.patch<Claim>(name, annotated('a', null), { preconditions: present });
  return [
    `an idle patch keeps the version: ${idle.metadata.resourceVersion === changed.metadata.resourceVersion}`,
    `null removes: ${JSON.stringify(removed.metadata.annotations?.a)}`,
    await outcome(cluster.patch(name, annotated('c', 'd'), { preconditions: first })),
    await outcome(cluster.patch(name, {}, { preconditions: first })),
    await outcome(cluster.patch(name, {}, { preconditions: { ...preconditionsOf(removed), uid: 'another' } })),
    await outcome(cluster.delete(name, first)),
    await outcome(cluster.create(name, claim(namespace, 'one'))),
    await outcome(cluster.patch(nameOf(resources.claim, namespace, 'none'), {}, { preconditions: first })),
    await onMadeAnew(cluster, namespace),
  ];
}

/** What is made anew under the same name is another object: what was meant for the first must not reach it. */
async function onMadeAnew(cluster: Cluster, namespace: string): Promise<string> {
  const { apiVersion, kind } = resources.transferApproval;
  const name = nameOf(resources.transferApproval, namespace, 'again');
  const spec = { source: { name: 'a', kind: 'PersistentVolumeClaim' }, targetNamespace: 'b', requestName: 'c' };
  const body = { apiVersion, kind, metadata: { namespace, name: 'again' }, spec };
  const first = preconditionsOf(await cluster.create<ClusterObject>(name, body));
  const patched = () => outcome(cluster.patch(name, annotated('a', 'b'), { preconditions: first }));
  const deleted = () => outcome(cluster.delete(name, first));
  const seen = [await deleted()];
  await cluster.create<ClusterObject>(name, body);
  return [...seen, await patched(), await deleted()].join(', ');
}

async function deletion({ cluster, namespace, settled }: Stage): Promise<string[]> {
  const name = nameOf(resources.claim, namespace, 'held');
  const made = await cluster.create(name, claim(namespace, 'held', ['example.com/hold']));
  const deleted = await cluster.delete<Claim>(name, preconditionsOf(made));
  const seen = [describe(deleted)];
  seen.push(await settled(async () => describe(await cluster.get<Claim>(name)), seen.length));
  const held = await present(cluster, name);
  seen.push(await outcome(cluster.delete(name, preconditionsOf(held))));
  const last = await present(cluster, name);
  await cluster.patch(name, { metadata: { finalizers: [] } }, { preconditions: preconditionsOf(last) });
  seen.push(describe(await cluster.get<Claim>(name)));
  return seen;
}

async function refusals({ cluster, namespace }: Stage): Promise<string[]> {
  const nowhere = nameOf(resources.claim, 'there-is-no-such-namespace', 'a');
  const seen = [await outcome(cluster.create(nowhere, claim('there-is-no-such-namespace', 'a')))];
  for (const name of ['q1', 'q2', 'q3', 'q4']) {
    seen.push(await outcome(cluster.create(nameOf(resources.claim, namespace, name), claim(namespace, name))));
  }
  return seen;
}

async function status({ cluster, namespace }: Stage): Promise<string[]> {
  const { apiVersion, kind } = resources.transferRequest;
  const name = nameOf(resources.transferRequest, namespace, 'move');
  const spec = {
    source: { namespace: 'a', name: 'b', kind: 'PersistentVolumeClaim' },
    approvalName: 'c',
    targetName: 'd',
  };
  const body = { apiVersion, kind, metadata: { namespace, name: 'move' }, spec, status: { complete: true } };
  const made = await cluster.create<typeof body & ClusterObject>(name, body);
  const first = preconditionsOf(made);
  const through = await cluster.patch<typeof made>(name, { status: { complete: true } }, { preconditions: first });
  const by = { preconditions: first, subresource: 'status' } as const;
  const after = await cluster.patch<typeof made>(name, { status: { complete: true }, spec: { targetName: 'e' } }, by);
  return [
    `status at creation: ${JSON.stringify(made.status)}`,
    `status by the object: ${JSON.stringify(through.status)}`,
    `status by the subresource: ${JSON.stringify(after.status)}, spec.targetName ${after.spec.targetName}`,
    `generation ${made.metadata.generation} and ${after.metadata.generation}`,
  ];
}

async function claimRefMoves({ cluster, namespace, settled }: Stage): Promise<string[]> {
  const volumeName = nameOf(resources.volume, undefined, `${namespace}-volume`);
  const source = nameOf(resources.claim, namespace, 'source');
  const target = nameOf(resources.claim, namespace, 'target');
  const see = async () => {
    const [volume, one, two] = await Promise.all([
      cluster.get<Volume>(volumeName),
      cluster.get<Claim>(source),
      cluster.get<Claim>(target),
    ]);
    return [describe(volume), describe(one), describe(two)].join(' | ');
  };
  await cluster.create(volumeName, volume(volumeName.name, namespace, 'source'));
  await cluster.create(source, claim(namespace, 'source', ['example.com/fence']));
  const seen = [await settled(see, 0)];
  await cluster.create(target, claim(namespace, 'target', [], volumeName.name));
  seen.push(await settled(see, seen.length));
  await cluster.delete(source, preconditionsOf(await present(cluster, source)));
  seen.push(await settled(see, seen.length));
  const { uid } = (await present(cluster, target)).metadata;
  const claimRef = { namespace, name: 'target', uid, resourceVersion: null };
  await cluster.patch(
    volumeName,
    { spec: { claimRef } },
    { preconditions: preconditionsOf(await present(cluster, volumeName)) },
  );
  await cluster.patch(target, annotated('touched', 'yes'), {
    preconditions: preconditionsOf(await present(cluster, target)),
  });
  seen.push(await settled(see, seen.length));
  await cluster.patch(
    source,
    { metadata: { finalizers: [] } },
    { preconditions: preconditionsOf(await present(cluster, source)) },
  );
  seen.push(await settled(see, seen.length));
  await cluster.delete(target, preconditionsOf(await present(cluster, target)));
  seen.push(await settled(see, seen.length));
  return seen;
}

async function collection({ cluster, namespace, settled }: Stage): Promise<string[]> {
  const name = nameOf(resources.claim, namespace, 'late');
  const { apiVersion, kind } = resources.transferRequest;
  const body = claim(namespace, 'late');
  const uid = '3f0c1f6e-0000-4000-8000-000000000000';
  body.metadata.ownerReferences = [{ apiVersion, kind, name: 'gone', uid }];
  await cluster.create(name, body);
  return [await settled(async () => describe(await cluster.get<Claim>(name)), 0)];
}

async function present(cluster: Cluster, name: Parameters<Cluster['get']>[0]): Promise<ClusterObject> {
  const found = await cluster.get(name);
  if (!found) throw new Error(`${name.name} is not there`);
  return found;
}

async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    if (isClusterError(error)) return error.class;
    throw error;
  }
}

/** What matters of an object and does not differ from run to run. */
function describe(object: Claim | Volume | undefined): string {
  if (!object) return 'gone';
  const { name, finalizers, deletionTimestamp } = object.metadata;
  const ofVolume = 'claimRef' in object.spec || object.kind === 'PersistentVolume';
  const binding = ofVolume ? (object as Volume).spec.claimRef?.name : (object as Claim).spec.volumeName;
  const kept = finalizers?.filter((finalizer) => finalizer !== 'kubernetes.io/pv-protection').sort();
  return `${name.replace(/.*-volume$/, 'volume')} ${object.status?.phase} -> ${binding?.replace(/.*-volume$/, 'volume')} [${kept ?? ''}]${deletionTimestamp ? ' deleted' : ''}`;
}

function annotated(annotation: string, value: string | null): object {
  return { metadata: { annotations: { [annotation]: value } } };
}

function claim(namespace: string, name: string, finalizers: string[] = [], volumeName?: string): Claim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { namespace, name, finalizers },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: namespace,
      ...(volumeName ? { volumeName } : {}),
    },
  };
}

function volume(name: string, namespace: string, claimName: string): Volume & { spec: Record<string, unknown> } {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: namespace,
      persistentVolumeReclaimPolicy: 'Retain',
      hostPath: { path: '/tmp/never-used' },
      claimRef: { namespace, name: claimName },
    },
  };
}
