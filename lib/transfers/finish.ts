import type { Claim, Volume } from '../cluster/objects.ts';
import { displayName, resources } from '../cluster/resources.ts';
import type { Decision } from '../reconcile/step.ts';
import { type Course, patch } from './course.ts';
import {
  fenceOf,
  otherFinalizers,
  recordOf,
  recordOrigin,
  releaseDeleted,
  removeRecord,
  transferredFrom,
} from './marks.ts';
import { blocked, completed } from './status.ts';
import { settleTarget } from './target.ts';
import { placeOf, type TransferWorld } from './world.ts';

/** The cluster releases an unused claim within moments; only a longer wait is worth telling the user. */
const quickReleaseMs = 5_000;

/** Everything after the point of no return: from here on a transfer is only ever finished. */
export function finish(world: TransferWorld, course: Course, volume: Volume, now: Date): Decision {
  const { source, target } = world;
  if (source && otherFinalizers(source).length > 0) return waitForRelease(world, source, now);
  const onTarget = settleTarget(world, course, source, volume, now);
  if (onTarget || !target) return onTarget ?? { do: 'wait', reason: 'TargetMissing', message: 'no target claim yet' };
  if (volume.spec.claimRef?.uid !== target.metadata.uid) return moveClaimRef(world, course, volume, target, now);
  // Any change of the claim makes the volume controller bind it at once; otherwise it binds at its next resync.
  if (!transferredFrom(target)) {
    return patch('target', target, recordOrigin(target, course.transfer, course.source));
  }
  if (target.status?.phase !== 'Bound') {
    return { do: 'wait', reason: 'TargetNotBound', message: 'the volume controller binds the target claim' };
  }
  if (source && fenceOf(source)) return patch('source', source, releaseDeleted(source));
  const record = recordOf(volume);
  return record ? patch('volume', volume, removeRecord(record)) : completed(world, now);
}

function waitForRelease(world: TransferWorld, source: Claim, now: Date): Decision {
  const deletedAt = Date.parse(source.metadata.deletionTimestamp ?? now.toISOString());
  const message = `claim ${displayName(placeOf(source))} is deleted but still held by ${otherFinalizers(source).join(', ')}; the volume moves when it is released, which is when the pods that use it have ended`;
  if (now.getTime() - deletedAt < quickReleaseMs) return { do: 'wait', reason: 'SourceHeld', message };
  return blocked(world, { stage: 'Moved', verdict: 'wait', reason: 'SourceHeld', message }, now);
}

/** Only a volume that still belongs to this transfer's source, or to an earlier target of it, is moved. */
function moveClaimRef(world: TransferWorld, course: Course, volume: Volume, target: Claim, now: Date): Decision {
  const claimRef = volume.spec.claimRef;
  const ofSource = claimRef?.uid === recordOf(volume)?.source.uid;
  const ofTarget = claimRef?.namespace === course.target.namespace && claimRef.name === course.target.name;
  if (!recordOf(volume) || !(ofSource || ofTarget)) {
    const message = `volume ${volume.metadata.name} has been bound to ${claimRef?.namespace}/${claimRef?.name} by someone else: it is left as it is`;
    return blocked(world, { stage: 'Moved', verdict: 'reject', reason: 'VolumeTaken', message }, now);
  }
  return patch('volume', volume, {
    metadata: { annotations: { 'pv.kubernetes.io/bound-by-controller': null } },
    spec: {
      claimRef: {
        apiVersion: resources.claim.apiVersion,
        kind: resources.claim.kind,
        ...placeOf(target),
        uid: target.metadata.uid,
        resourceVersion: null,
      },
    },
  });
}
