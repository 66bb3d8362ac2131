import type { Cluster } from '../../../lib/kubernetes/cluster.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { preconditionsOf } from '../../../lib/reconcile/step.ts';
import { nameOfObject } from '../fake-cluster.ts';
import { annotated, type History, outcome, present, type Stage } from '../history.ts';
import { claim, describe, volume } from './history-objects.ts';

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
  const changed = await cluster.patch(name, annotated('a', 'b'), { preconditions: first });
  const present = preconditionsOf(changed);
  const idle = await cluster.patch(name, annotated('a', 'b'), { preconditions: present });
  const removed = await cluster.patch(name, annotated('a', null), { preconditions: present });
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
  const first = preconditionsOf(await cluster.create(name, body));
  const patched = () => outcome(cluster.patch(name, annotated('a', 'b'), { preconditions: first }));
  const deleted = () => outcome(cluster.delete(name, first));
  const seen = [await deleted()];
  await cluster.create(name, body);
  return [...seen, await patched(), await deleted()].join(', ');
}

async function deletion({ cluster, namespace, settled }: Stage): Promise<string[]> {
  const name = nameOf(resources.claim, namespace, 'held');
  const made = await cluster.create(name, claim(namespace, 'held', ['example.com/hold']));
  const deleted = await cluster.delete(name, preconditionsOf(made));
  const seen = [describe(deleted)];
  seen.push(await settled(async () => describe(await cluster.get(name)), seen.length));
  const held = await present(cluster, name);
  const more = { metadata: { finalizers: [...(held.metadata.finalizers ?? []), 'example.com/late'] } };
  seen.push(await outcome(cluster.patch(name, more, { preconditions: preconditionsOf(held) })));
  seen.push(await outcome(cluster.delete(name, preconditionsOf(held))));
  const last = await present(cluster, name);
  await cluster.patch(name, { metadata: { finalizers: [] } }, { preconditions: preconditionsOf(last) });
  seen.push(describe(await cluster.get(name)));
  return seen;
}

async function refusals({ cluster, namespace }: Stage): Promise<string[]> {
  const nowhere = nameOf(resources.claim, 'there-is-no-such-namespace', 'a');
  const seen = [await outcome(cluster.create(nowhere, claim('there-is-no-such-namespace', 'a')))];
  // What is full refuses a name that is taken for being full.
  for (const name of ['q1', 'q2', 'q3', 'q4', 'q1']) {
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
  const made = await cluster.create(name, body);
  const first = preconditionsOf(made);
  const through = await cluster.patch(name, { status: { complete: true } }, { preconditions: first });
  const again = await cluster.patch(name, {}, { preconditions: preconditionsOf(through) });
  const by = { preconditions: preconditionsOf(again), subresource: 'status' } as const;
  const after = await cluster.patch(name, { status: { complete: true }, spec: { targetName: 'e' } }, by);
  return [
    `status at creation: ${inOrder(made.status)}`,
    `status by the object: ${inOrder(through.status)}`,
    `the default is stored with the first write: ${through.metadata.resourceVersion !== made.metadata.resourceVersion}`,
    `and with no other: ${again.metadata.resourceVersion !== through.metadata.resourceVersion}`,
    `status by the subresource: ${inOrder(after.status)}, spec.targetName ${after.spec.targetName}`,
    `generation ${made.metadata.generation} and ${after.metadata.generation}`,
  ];
}

/** As JSON with the fields in the order of their names: each server has an order of its own. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

async function claimRefMoves({ cluster, namespace, settled }: Stage): Promise<string[]> {
  const volumeName = nameOf(resources.volume, undefined, `${namespace}-volume`);
  const source = nameOf(resources.claim, namespace, 'source');
  const target = nameOf(resources.claim, namespace, 'target');
  const see = async () => {
    const [volume, one, two] = await Promise.all([cluster.get(volumeName), cluster.get(source), cluster.get(target)]);
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
  return [await settled(async () => describe(await cluster.get(name)), 0)];
}
