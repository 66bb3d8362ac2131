import type { Claim } from '../../../../kubernetes/objects.ts';
import { reject } from '../../../../reconcile/obstacle.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { createAnother } from '../../advice.ts';
import { isHandedInVain, isHandedTo } from '../../given.ts';
import { isCopy } from '../../names.ts';
import { isNameChosen } from '../../origin.ts';
import { populatedConditionOf, reportPopulated } from '../../populated.ts';
import { isOurs, sourceOf } from '../../reference.ts';
import { complete } from './complete.ts';
import { removeHold } from './hold.ts';
import { clearLeftover } from './leftover.ts';
import { populate } from './populate.ts';
import { blocked } from './report.ts';
import { undo } from './undo.ts';
import type { PopulatingWorld } from './world.ts';

/** Takes a claim from waiting for its data to bound to a volume with it, with nothing left over of the work. */
export function decide(world: PopulatingWorld, now: Date): Decision<PopulatingWorld> {
  const { claim, isLeftover, refused } = world;
  if (isLeftover) return clearLeftover(world);
  if (!claim) return { do: 'done', reason: 'ClaimGone' };
  if (!isOurs(sourceOf(claim)) || isCopy(claim)) return { do: 'done', reason: 'NotOurs' };
  if (refused) return refuse(world, claim, refused.slot, refused.message, now);
  const handed = [world.claimVolume, world.volume].find((volume) => volume && isHandedTo(claim, volume));
  if (handed) return complete(world, claim, handed, now);
  if (world.volume && isHandedInVain(claim, world.volume)) return complete(world, claim, world.volume, now);
  if (claim.metadata.deletionTimestamp) return release(world, claim);
  if (claim.spec.volumeName) return leave(world, claim, now);
  return populate(world, claim, now);
}

export function decideFailed(world: PopulatingWorld, message: string, now: Date): Decision<PopulatingWorld> {
  const { claim, isLeftover } = world;
  const failed = reject('Failed', message);
  if (!claim || isLeftover || !isOurs(sourceOf(claim)) || claim.spec.volumeName) return failed;
  return blocked(world, claim, failed, now);
}

/** The claim is deleted and has no volume of ours: its copies are removed first. */
function release(world: PopulatingWorld, claim: Claim): Decision<PopulatingWorld> {
  return undo(world) ?? removeHold(claim) ?? { do: 'done', reason: 'Released' };
}

/** Another volume was bound to the claim; Longshore is not responsible for that one. */
function leave(world: PopulatingWorld, claim: Claim, now: Date): Decision<PopulatingWorld> {
  const next = undo(world) ?? removeHold(claim);
  if (next) return next;
  const { volumeName = '' } = claim.spec;
  const said = populatedConditionOf(claim);
  if (said?.reason === 'BoundToOtherVolume') return { do: 'done', reason: said.reason };
  if (claim.status?.phase === 'Lost') {
    const message = `volume ${volumeName} no longer exists, or belongs to another claim: the data of this claim went with it`;
    const lost = { status: 'False', reason: 'VolumeLost', message } as const;
    return reportPopulated(claim, lost, now, { event: 'Warning' }) ?? { do: 'done', reason: lost.reason };
  }
  const message = `the claim has volume ${volumeName}, which was not created from its snapshot: its contents are unknown; for the snapshot's data ${createAnother(howToGetIt(claim))}`;
  const reason = 'BoundToOtherVolume';
  return reportPopulated(claim, { status: 'Unknown', reason, message }, now) ?? { do: 'done', reason };
}

/** If the user named no volume, the cluster chose one that matches the selector, or that fits. */
function howToGetIt(claim: Claim): string {
  return isNameChosen(claim)
    ? 'without a selector, with the policies of manifests/admission in place'
    : 'without spec.volumeName';
}

/** Names for users of objects that they cannot see. */
const refusedParts: Record<string, string> = {
  claim: 'the claim itself',
  contentCopy: 'the VolumeSnapshotContent from which it is made',
  snapshotCopy: 'the VolumeSnapshot from which it is made',
  prime: 'the claim by which its volume is made',
  volume: 'its volume',
};

function refuse(
  world: PopulatingWorld,
  claim: Claim,
  slot: string,
  text: string,
  now: Date,
): Decision<PopulatingWorld> {
  const refused = reject('WriteRefused', `${refusedParts[slot] ?? slot} cannot be written: ${text}`);
  // A claim that has its data still reports so, even if leftovers cannot be removed.
  return claim.spec.volumeName ? refused : blocked(world, claim, refused, now);
}
