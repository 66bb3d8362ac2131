import type { Claim, Volume } from '../../../../kubernetes/objects.ts';
import { waitFor } from '../../../../reconcile/obstacle.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { createAnother } from '../../advice.ts';
import { isHandedInVain, snapshotOn } from '../../given.ts';
import { measuredFailure, measuredSuccess } from '../../measurements.ts';
import { reportPopulated } from '../../populated.ts';
import { removeHold } from './hold.ts';
import { releaseVolume, undo } from './undo.ts';
import type { PopulatingWorld } from './world.ts';

/** The claim and the volume are bound to each other; the objects that were only needed for that are removed. */
export function complete(world: PopulatingWorld, claim: Claim, volume: Volume, now: Date): Decision<PopulatingWorld> {
  const { volumeName } = claim.spec;
  const isElsewhere =
    isHandedInVain(claim, volume) || (volumeName !== undefined && volumeName !== volume.metadata.name);
  if (claim.metadata.deletionTimestamp) {
    const unused = isElsewhere ? releaseVolume(volume) : undefined;
    return unused ?? undo(world) ?? removeHold(claim) ?? { do: 'done', reason: 'Released' };
  }
  if (isElsewhere) return strayed(world, claim, volume, now);
  if (claim.status?.phase !== 'Bound') {
    return waitFor('ClaimNotBound', `the volume controller binds the claim to volume ${volume.metadata.name}`);
  }
  const [namespace, name] = snapshotOn(volume).split('/');
  const message = `restored from VolumeSnapshot ${namespace}/${name}`;
  const effects = { event: 'Normal' as const, measure: [measuredSuccess(claim, { ...world, volume })] };
  const said = reportPopulated(claim, { status: 'True', reason: 'Populated', message }, now, effects);
  return said ?? undo(world) ?? removeHold(claim) ?? { do: 'done', reason: 'Populated' };
}

/**
 * The claim was bound to another volume at the moment of the hand-over. Ours is deleted, with the snapshot's data; the
 * other one is not ours to judge. The report comes last, because it is a write to the claim, which its owner may
 * obstruct.
 */
function strayed(world: PopulatingWorld, claim: Claim, volume: Volume, now: Date): Decision<PopulatingWorld> {
  const reason = 'BoundToOtherVolume';
  const message = `the claim was bound to volume ${claim.spec.volumeName}, which does not have the data of the snapshot: ${createAnother('with the policies of manifests/admission in place')}`;
  const next = releaseVolume(volume) ?? undo(world);
  const effects = { event: 'Warning' as const, measure: [measuredFailure(claim, { ...world, volume })] };
  const said = reportPopulated(claim, { status: 'False', reason, message }, now, effects);
  return next ?? said ?? removeHold(claim) ?? { do: 'done', reason };
}
