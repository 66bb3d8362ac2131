import type { Claim } from '../../../kubernetes/objects.ts';
import { type Place, placeOf, samePlace } from '../../../kubernetes/places.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { reject, waitFor } from '../../../reconcile/obstacle.ts';
import { fenceOf, isFenced } from '../by-request/claim-marks.ts';
import { recordOf, undoingOf } from '../by-request/volume-marks.ts';
import type { TransferObstacle } from '../reasons.ts';
import { claimObstacle, volumeObstacle } from '../source-checks.ts';
import type { TransferWorld } from '../world.ts';
import { isOffered } from './claim-marks.ts';
import { missing } from './namespace-obstacles.ts';

/** The reason why a claim cannot be offered to a place. Its volume has not been changed yet. */
export function offerObstacle(world: TransferWorld, source: Claim, destination: Place): TransferObstacle | undefined {
  return (
    switchedOff(world) ??
    engagement(source, destination) ??
    claimObstacle(source) ??
    volumeObstacle(source, world.volume, destination.namespace) ??
    volumeEngagement(world) ??
    (world.targetNamespace ? undefined : missing(destination.namespace, displayName(destination)))
  );
}

export function switchedOff({ settings }: TransferWorld): TransferObstacle | undefined {
  const setting = settings?.transfersByAnnotation;
  return setting && !setting.isOn ? waitFor('TransfersOff', setting.reason) : undefined;
}

export function malformed(annotation: string, text: string): TransferObstacle {
  const message = `annotation ${annotation} is ${JSON.stringify(text)}: it must name a claim as <namespace>/<name>`;
  return reject('Invalid', message);
}

function engagement(source: Claim, destination: Place): TransferObstacle | undefined {
  const place = placeOf(source);
  const name = displayName(place);
  if (samePlace(place, destination)) return reject('Invalid', `claim ${name} cannot be transferred to itself`);
  if (isFenced(source) && !isOffered(source)) {
    const fence = fenceOf(source);
    const by = fence ? `request ${displayName(fence)}` : 'a request';
    return waitFor('SourceBusy', `claim ${name} is being moved by ${by}, which was first`);
  }
  if (source.metadata.deletionTimestamp && !isOffered(source)) {
    const message = `claim ${name} was deleted before its volume was safe: it can no longer be transferred`;
    return waitFor('SourceDeleting', message);
  }
  return undefined;
}

function volumeEngagement({ volume }: TransferWorld): TransferObstacle | undefined {
  if (!recordOf(volume) && !undoingOf(volume)) return undefined;
  return waitFor('VolumeBusy', `volume ${volume?.metadata.name} is being moved by a StorageTransferRequest`);
}
