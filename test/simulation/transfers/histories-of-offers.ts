import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { preconditionsOf } from '../../../lib/reconcile/step.ts';
import { annotated, type History, present, type Stage } from '../history.ts';
import { claim, describe, volume } from './history-objects.ts';

/** What transfers by annotation rely on. */
export const historiesOfOffers: History[] = [
  { name: 'an accepting claim gets its volume', run: acceptance },
  { name: 'conditions on claims', run: conditions },
];

/** A claim that names no volume waits, is bound as soon as a volume names it, and may be told the volume's name as well. */
async function acceptance({ cluster, namespace, settled }: Stage): Promise<string[]> {
  const volumeName = nameOf(resources.volume, undefined, `${namespace}-volume`);
  const source = nameOf(resources.claim, namespace, 'source');
  const target = nameOf(resources.claim, namespace, 'target');
  const see = async () => {
    const [held, one, two] = await Promise.all([cluster.get(volumeName), cluster.get(source), cluster.get(target)]);
    return [describe(held), describe(one), describe(two)].join(' | ');
  };
  await cluster.create(volumeName, volume(volumeName.name, namespace, 'source'));
  await cluster.create(source, claim(namespace, 'source'));
  const seen = [await settled(see, 0)];
  await cluster.create(target, claim(namespace, 'target'));
  await cluster.delete(source, preconditionsOf(await present(cluster, source)));
  seen.push(await settled(see, seen.length));
  const { uid } = (await present(cluster, target)).metadata;
  const claimRef = { namespace, name: 'target', uid, resourceVersion: null };
  const held = await present(cluster, volumeName);
  await cluster.patch(volumeName, { spec: { claimRef } }, { preconditions: preconditionsOf(held) });
  seen.push(await settled(see, seen.length));
  const told = { ...annotated('told', 'yes'), spec: { volumeName: volumeName.name } };
  await cluster.patch(target, told, { preconditions: preconditionsOf(await present(cluster, target)) });
  seen.push(await settled(see, seen.length));
  return seen;
}

/** A condition of ours is written by the status alone, and stays when the volume controller writes the status. */
async function conditions({ cluster, namespace, settled }: Stage): Promise<string[]> {
  const volumeName = nameOf(resources.volume, undefined, `${namespace}-volume`);
  const name = nameOf(resources.claim, namespace, 'told');
  const see = async () => {
    const found = await cluster.get(name);
    return `${found?.status?.phase} ${found?.status?.conditions?.map(({ type, reason }) => `${type} ${reason}`)}`;
  };
  const made = await cluster.create(name, claim(namespace, 'told'));
  const said = {
    type: 'Transferred',
    status: 'False',
    reason: 'NotOffered',
    message: 'm',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
  const status = { conditions: [said] };
  const through = await cluster.patch(name, { status }, { preconditions: preconditionsOf(made) });
  const seen = [`by the object: ${JSON.stringify(through.status?.conditions)}`];
  const preconditions = preconditionsOf(await present(cluster, name));
  await cluster.patch(name, { status }, { preconditions, subresource: 'status' });
  seen.push(await settled(see, seen.length));
  await cluster.create(volumeName, volume(volumeName.name, namespace, 'told'));
  seen.push(await settled(see, seen.length));
  return seen;
}
