import { describe, expect, test } from '@jest/globals';
import { populateClaim } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/step.ts';
import type { PopulatingWorld } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/world.ts';
import type { Cluster } from '../../../../../../lib/kubernetes/cluster.ts';
import { ClusterError } from '../../../../../../lib/kubernetes/errors.ts';
import { type ObjectName, resources } from '../../../../../../lib/kubernetes/resources.ts';
import { reconcile } from '../../../../../../lib/reconcile/reconcile.ts';
import * as stage from '../../populate-stages.ts';
import { fold } from '../../populate-table.ts';

const { agreed, held, now, primeBound, stages, stray } = stage;
const undone = ['delete prime', 'patch prime', 'delete snapshotCopy', 'delete contentCopy'];

/** Whoever may change a claim can do so all the time: whatever we write on it, they have been there before. */
async function runOn(start: PopulatingWorld, how: 'conflict' | 'rejected') {
  let world = start;
  const done: string[] = [];
  const isClaim = ({ resource, namespace }: ObjectName) => resource === resources.claim && namespace === 'test';
  const slots = ['prime', 'snapshotCopy', 'contentCopy', 'volume'] as const;
  const write = async (verb: 'patch' | 'delete', { name, resource, ...at }: ObjectName, body: object) => {
    if (isClaim({ name, resource, ...at })) throw new ClusterError(how, 'changed meanwhile', 409);
    const slot = slots.find((each) => world[each]?.kind === resource.kind && world[each]?.metadata.name === name);
    if (!slot) throw new ClusterError('gone', 'it is gone', 404);
    done.push(`${verb} ${slot}`);
    const object = { name, resource, ...at };
    world = fold(world, { verb, slot, object, body, preconditions: {} } as never);
    return world[slot];
  };
  const cluster = {
    name: 'test',
    create: async () => ({}),
    patch: (object: ObjectName, body: object) => write('patch', object, body),
    delete: (object: ObjectName) => write('delete', object, {}),
  } as unknown as Cluster;
  const isGoing = () => world.prime?.metadata.deletionTimestamp !== undefined;
  const step = { ...populateClaim, read: async () => ({ ...world, areVolumesListed: isGoing() }) };
  const running = reconcile(step, cluster, { namespace: 'test', name: 'copy' }, { now: () => now });
  const end = await running.then(
    (outcome) => outcome.do,
    (error: ClusterError) => error.class,
  );
  // It comes again later, as what is to be told has not been told.
  expect(how === 'conflict' ? ['conflict'] : ['rejected', 'reject']).toContain(end);
  return { done, world };
}

describe.each(['conflict', 'rejected'] as const)('on a claim that cannot be written on (%s)', (how) => {
  const withdrawn = {
    NotGranted: { grants: [] },
    LinkMissing: { link: undefined, wanted: undefined },
    SnapshotMissing: { snapshot: undefined, content: undefined },
  };

  test.each(Object.entries(withdrawn))('what was begun is removed all the same: %s', async (_, change) => {
    expect((await runOn({ ...stages.primeMade, ...change }, how)).done).toEqual(undone);
  });

  test('a volume that lay about is given back all the same', async () => {
    const { done, world } = await runOn({ ...stages.primeBound, volume: stray() }, how);
    expect(done).toEqual(['patch volume', ...undone]);
    expect(world.volume?.spec.persistentVolumeReclaimPolicy).toBe('Retain');
  });

  test('a volume with the data that the claim was not bound to goes all the same', async () => {
    const claim = held({ spec: { volumeName: 'volume-9' }, status: { phase: 'Bound' } });
    const volume = stage.handed({ persistentVolumeReclaimPolicy: 'Retain' });
    const { done, world } = await runOn(agreed({ ...stages.handedOver, claim, prime: primeBound(), volume }), how);
    expect(done).toEqual(['patch volume', ...undone]);
    expect(world.volume?.spec.persistentVolumeReclaimPolicy).toBe('Delete');
  });
});
