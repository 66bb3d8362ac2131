import { handleOf } from '../../../lib/capabilities/data-sources/copies.ts';
import { markFor } from '../../../lib/capabilities/data-sources/given.ts';
import { finalizer, snapshotAnnotation } from '../../../lib/capabilities/data-sources/names.ts';
import type { VolumeSnapshotContent } from '../../../lib/capabilities/data-sources/objects.ts';
import type { PopulatingWorld } from '../../../lib/capabilities/data-sources/steps/populate-claim/world.ts';
import type { Claim } from '../../../lib/kubernetes/objects.ts';
import { formatIdentity, identityOf } from '../../../lib/kubernetes/places.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import type { Decision, Step, Write } from '../../../lib/reconcile/step.ts';
import { mergePatch } from '../merge-patch.ts';
import { bodyOf, type Decide } from '../mutating.ts';
import { grantOf } from './objects.ts';

/** What the mutants take for something else. */

const looksInVain = 12;

type Decides = Decide<PopulatingWorld>;

export function withGrant(world: PopulatingWorld): PopulatingWorld {
  const { metadata, ...grant } = grantOf('assumed');
  // It is for whichever namespace there is.
  return { ...world, grants: [{ ...grant, metadata: { ...metadata, creationTimestamp: '2100-01-01T00:00:00Z' } }] };
}

/** What was agreed upon when the copies were made is taken to hold for ever. */
export function withGrantAtHandOver(world: PopulatingWorld): PopulatingWorld {
  return world.prime?.spec.volumeName ? withGrant(world) : world;
}

/** A namespace of that name is taken to have been there ever since. */
export function asIfAlways(part: 'namespace' | 'sourceNamespace') {
  return (world: PopulatingWorld): PopulatingWorld => {
    const namespace = world[part];
    if (!namespace) return world;
    const metadata = { ...namespace.metadata, creationTimestamp: '1970-01-01T00:00:00Z' };
    return { ...world, [part]: { ...namespace, metadata } };
  };
}

/** Whoever is held up after the prime claim was read finds a volume that has been let go since, and does not see it. */
export function takingWhatIsLetGo(step: Step<PopulatingWorld>): Step<PopulatingWorld> {
  return {
    ...step,
    read: async (cluster, key, now) => {
      const world = await step.read(cluster, key, now);
      if (!world.prime?.spec.volumeName || !world.volume) return world;
      for (let look = 0; look < looksInVain; look += 1)
        await cluster.get(nameOf(resources.claim, key.namespace, key.name));
      const name = nameOf(resources.volume, undefined, world.volume.metadata.name);
      const volume = await cluster.get(name);
      return onVolume({ ...world, volume }, { 'longshore.dev/let-go': null });
    },
  };
}

export function withGrantOfNothing(world: PopulatingWorld): PopulatingWorld {
  return world.snapshot ? world : withGrant(world);
}

/** Whoever takes long over it decides by what was so when it began. */
export function takingLong(step: Step<PopulatingWorld>): Step<PopulatingWorld> {
  return {
    ...step,
    read: async (cluster, key, now) => {
      const world = await step.read(cluster, key, now);
      const looks = world.prime?.spec.volumeName ? looksInVain : 0;
      for (let look = 0; look < looks; look += 1) await cluster.get(nameOf(resources.claim, key.namespace, key.name));
      return { ...world, readAt: new Date(8_000_000_000_000) };
    },
  };
}

export function withoutHold(decide: Decides, world: PopulatingWorld, now: Date): Decision {
  const decision = decide(world, now);
  const { claim } = world;
  if (!claim || !isWrite(decision, 'claim') || !bodyOf(decision.write).includes(finalizer)) return decision;
  return decide({ ...world, claim: mergePatch(claim, { metadata: { finalizers: [finalizer] } }) as Claim }, now);
}

export function withoutSecuring(decide: Decides, world: PopulatingWorld, now: Date): Decision {
  const decision = decide(world, now);
  const isSecuring = isWrite(decision, 'volume') && bodyOf(decision.write).includes('taken-in-error');
  return isSecuring ? decide({ ...world, volume: undefined }, now) : decision;
}

/** What is said of a claim is said before anything is done about it. */
export function tellingFirst(decide: Decides, world: PopulatingWorld, now: Date): Decision {
  const { prime: _, snapshotCopy: __, contentCopy: ___, ...rest } = world;
  const decision = decide({ ...rest, hadPrime: false }, now);
  const isTelling =
    isWrite(decision, 'claim') && 'subresource' in decision.write && bodyOf(decision.write).includes('"False"');
  return isTelling ? decision : decide(world, now);
}

export function keepLeftover(decide: Decides, world: PopulatingWorld, now: Date): Decision {
  return world.isLeftover ? { do: 'done', reason: 'Mutated' } : decide(world, now);
}

/** The content is taken for one that was never bound. */
export function onTornCopies(decide: Decides, world: PopulatingWorld, now: Date): Decision {
  const { contentCopy } = world;
  const decision = decide(world, now);
  if (!contentCopy || decision.do === 'call' || !JSON.stringify(decision).includes('"StartingOver"')) return decision;
  const spec = { ...contentCopy.spec, volumeSnapshotRef: { ...contentCopy.spec.volumeSnapshotRef } };
  delete spec.volumeSnapshotRef.uid;
  return decide({ ...world, contentCopy: { ...contentCopy, spec } }, now);
}

export function withoutLate({ late: _, ...world }: PopulatingWorld): PopulatingWorld {
  return world;
}

export function asProvisioned(world: PopulatingWorld): PopulatingWorld {
  return onVolume(world, {
    'pv.kubernetes.io/provisioned-by': 'anybody',
    'pv.kubernetes.io/bound-by-controller': null,
  });
}

export function asHandedOver(world: PopulatingWorld): PopulatingWorld {
  const { claim, claimVolume } = world;
  if (!claim || !claimVolume) return world;
  const marked = mergePatch(claimVolume, { metadata: { annotations: markFor(claim, 'prod/backup/uid') } });
  return { ...world, claimVolume: marked as typeof claimVolume };
}

function onVolume(world: PopulatingWorld, annotations: Record<string, string | null>): PopulatingWorld {
  const { volume } = world;
  return volume ? { ...world, volume: mergePatch(volume, { metadata: { annotations } }) as typeof volume } : world;
}

/** Whichever snapshot the copies are of, they are taken for those of the present one. */
export function asCopyOfPresent(world: PopulatingWorld): PopulatingWorld {
  const { contentCopy, snapshot, content } = world;
  if (!contentCopy || !snapshot || !content) return world;
  const annotations = { [snapshotAnnotation]: formatIdentity(identityOf(snapshot)) };
  const change = { metadata: { annotations }, spec: { source: { snapshotHandle: handleOf(content) } } };
  return { ...world, contentCopy: mergePatch(contentCopy, change) as VolumeSnapshotContent };
}

function isWrite(decision: Decision, slot: string): decision is { do: 'write'; write: Write } {
  return decision.do === 'write' && decision.write.slot === slot;
}
