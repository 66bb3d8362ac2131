import type { Claim, TransferRequest, Volume } from '../../../kubernetes/objects.ts';
import { identityOf, placeOf, sameIdentity } from '../../../kubernetes/places.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { reject, waitFor } from '../../../reconcile/obstacle.ts';
import { isOffered } from '../by-annotation/claim-marks.ts';
import { offerOn } from '../by-annotation/volume-marks.ts';
import type { StagedObstacle } from '../reasons.ts';
import { claimObstacle, volumeObstacle } from '../source-checks.ts';
import type { TransferWorld } from '../world.ts';
import { fenceOf } from './claim-marks.ts';
import { recordOf, undoingOf } from './volume-marks.ts';

/** The reason why the source claim cannot be moved; undefined if it can. Nothing has been changed yet. */
export function sourceObstacle(request: TransferRequest, world: TransferWorld): StagedObstacle | undefined {
  const { source, volume } = world;
  return source ? obstacleOf(request, source, volume) : missing(request);
}

/** With a name alone, a claim that is created later is meant too. */
function missing({ spec }: TransferRequest): StagedObstacle {
  const { namespace, name, uid } = spec.source;
  if (uid) {
    const message = `claim ${namespace}/${name} with uid ${uid}, which is requested, does not exist, and no claim that is created under its name gets that uid. If another claim is meant, create a request that names it`;
    return reject('SourceReplaced', message);
  }
  return waitFor('SourceMissing', `there is no claim ${namespace}/${name}: create it, or delete this request`);
}

function obstacleOf(request: TransferRequest, source: Claim, volume: Volume | undefined): StagedObstacle | undefined {
  return (
    anotherClaim(request, source) ??
    engagement(request, source) ??
    claimObstacle(source) ??
    volumeObstacle(source, volume, request.metadata.namespace ?? '') ??
    (volume && volumeEngagement(request, volume))
  );
}

/** Only if the request names a uid: with a name alone, it takes the present claim. */
function anotherClaim({ spec }: TransferRequest, source: Claim): StagedObstacle | undefined {
  const { uid } = spec.source;
  if (!uid || uid === source.metadata.uid) return undefined;
  const message = `claim ${displayName(placeOf(source))} is not the requested one: its uid is ${source.metadata.uid}, spec.source.uid is ${uid}. If you want this claim, create a request that names it`;
  return reject('SourceReplaced', message);
}

/**
 * Of several requests for the same claim, the first whose fence is on it gets it: the API server decides between them.
 */
function engagement(request: TransferRequest, source: Claim): StagedObstacle | undefined {
  const name = displayName(placeOf(source));
  const fence = fenceOf(source);
  if (fence && !sameIdentity(fence, identityOf(request))) {
    const message = `claim ${name} is being moved by request ${displayName(fence)}, which was first`;
    return waitFor('SourceBusy', message);
  }
  // A fenced claim that its user deletes meanwhile is held by the fence, and is moved nevertheless.
  if (source.metadata.deletionTimestamp && !fence) {
    return waitFor('SourceDeleting', `claim ${name} is being deleted by its owner and can no longer be moved`);
  }
  if (isOffered(source)) {
    const message = `claim ${name} is offered to another claim by its annotation transferRequest: its owner must remove the annotation first`;
    return waitFor('SourceBusy', message);
  }
  return undefined;
}

function volumeEngagement(request: TransferRequest, volume: Volume): StagedObstacle | undefined {
  const { name } = volume.metadata;
  if (undoingOf(volume)) return waitFor('RollingBack', `an earlier transfer of volume ${name} is being rolled back`);
  const record = recordOf(volume);
  if (record && !sameIdentity(record.transfer, identityOf(request))) {
    return waitFor('VolumeBusy', `volume ${name} is being moved by request ${displayName(record.transfer)}`);
  }
  const offer = offerOn(volume);
  return offer && waitFor('VolumeBusy', `volume ${name} is offered to claim ${displayName(offer.destination)}`);
}
