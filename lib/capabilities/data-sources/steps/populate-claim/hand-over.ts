import { pointTo } from '../../../../kubernetes/claim-ref.ts';
import type { Claim, Volume } from '../../../../kubernetes/objects.ts';
import { parseIdentity, samePlace } from '../../../../kubernetes/places.ts';
import { amountOf } from '../../../../kubernetes/quantity.ts';
import { reject, waitFor } from '../../../../reconcile/obstacle.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { tooOld } from '../../../../reconcile/trust.ts';
import { patch } from '../../../../reconcile/writes.ts';
import { createAnew } from '../../advice.ts';
import { isAbandoned, isProvisioned, markFor } from '../../given.ts';
import { snapshotAnnotation } from '../../names.ts';
import { isLater, isNamedAfter, isSameSecond } from '../../origin.ts';
import type { DataObstacle } from '../../reasons.ts';
import { changed, giveUp, going, lost } from './abandon.ts';
import { isOwnSnapshot } from './consent.ts';
import { hold, isHeld } from './hold.ts';
import { volumePart } from './parts.ts';
import { blocked } from './report.ts';
import { areGoing, undo } from './undo.ts';
import type { PopulatingWorld } from './world.ts';

/** The volume is made. Later changes of the snapshot make no difference to its data. */
export function handOver(world: PopulatingWorld, claim: Claim, prime: Claim, now: Date): Decision<PopulatingWorld> {
  const { volume } = world;
  const isPrimes = volume?.spec.claimRef?.uid === prime.metadata.uid && !volume?.metadata.deletionTimestamp;
  // Released first, and reported afterwards: it belongs to others, and the write to the claim may fail.
  if (volume && isPrimes && !isProvisioned(volume)) return undo(world) ?? blocked(world, claim, stray(volume), now);
  if (areGoing(world)) return giveUp(world, claim, going, now);
  if (!volume || !isPrimes) return giveUp(world, claim, lost, now);
  // Another worker is about to delete it, and has changed the policy of its class, while this prime claim was still
  // there.
  if (isAbandoned(volume)) return giveUp(world, claim, going, now);
  if (!isMadeFor(volume, prime) || !isOfWanted(world, claim, prime)) return giveUp(world, claim, changed, now);
  return isHeld(claim) ? give(world, claim, prime, volume, now) : hold(claim);
}

/** From here on it is the user's. */
function give(
  world: PopulatingWorld,
  claim: Claim,
  prime: Claim,
  volume: Volume,
  now: Date,
): Decision<PopulatingWorld> {
  const areBound = prime.status?.phase === 'Bound' && volume.status?.phase === 'Bound';
  if (!areBound) {
    return waitFor('Populating', 'the volume is being bound to the prime claim');
  }
  const obstacle = driverObstacle(world, volume) ?? sizeObstacle(claim, volume);
  if (obstacle) return blocked(world, claim, obstacle, now);
  const unsure = tooOld(world, now);
  if (unsure) return unsure;
  const { metadata, spec } = pointTo(claim);
  const origin = prime.metadata.annotations?.[snapshotAnnotation] ?? '';
  return patch(volumePart, volume, {
    metadata: { annotations: { ...metadata.annotations, ...markFor(claim, origin) } },
    spec,
  });
}

/** A volume made for an earlier prime claim of the same name may hold another snapshot. */
function isMadeFor(volume: Volume, prime: Claim): boolean {
  // By default, provisioners name volumes after the uids of their claims.
  return isNamedAfter(volume, prime) || isLater(volume, prime) || isSameSecond(volume, prime);
}

/**
 * The prime claim and the copied content both name the snapshot, and both must match: either may come from a delayed
 * worker. The snapshot itself may be gone by now, and the data is there.
 */
function isOfWanted(world: PopulatingWorld, claim: Claim, prime: Claim): boolean {
  const { contentCopy, wanted, snapshot } = world;
  const written = prime.metadata.annotations?.[snapshotAnnotation];
  const origin = parseIdentity(written);
  if (!origin || !wanted || !samePlace(origin, wanted)) return false;
  if (written !== contentCopy?.metadata.annotations?.[snapshotAnnotation]) return false;
  // Another class may have been requested since then, and the two would never be bound.
  if ((prime.spec.volumeAttributesClassName || undefined) !== (claim.spec.volumeAttributesClassName || undefined)) {
    return false;
  }
  return snapshot ? snapshot.metadata.uid === origin.uid : isOfPresentNamespace(world);
}

/** The namespace that grants it now is the one that had the snapshot: it existed before the copy was made. */
function isOfPresentNamespace({ link, contentCopy, sourceNamespace }: PopulatingWorld): boolean {
  if (isOwnSnapshot(link)) return true;
  return contentCopy !== undefined && sourceNamespace !== undefined && isLater(contentCopy, sourceNamespace);
}

/** The driver that made the volume is not the snapshot's. */
function driverObstacle({ contentCopy }: PopulatingWorld, { metadata, spec }: Volume): DataObstacle | undefined {
  const { driver } = contentCopy?.spec ?? {};
  if (spec.csi?.driver === driver) return undefined;
  const message = `volume ${metadata.name} is not of driver ${driver}, which has the snapshot: its provisioner ignored the snapshot; ${createAnew('with another storage class')}`;
  return reject('IgnoredByProvisioner', message);
}

/** The volume controller would leave a claim pending for ever that asks for more than its volume has. */
function sizeObstacle(claim: Claim, { metadata, spec }: Volume): DataObstacle | undefined {
  const { storage = '0' } = claim.spec.resources?.requests ?? {};
  const { storage: size = '0' } = spec.capacity ?? {};
  if ((amountOf(size) ?? 0) >= (amountOf(storage) ?? 0)) return undefined;
  const message = `its driver created volume ${metadata.name} with ${size}, not ${storage}: ${createAnew(`and request ${size}`)}`;
  return reject('VolumeTooSmall', message);
}

function stray({ metadata, spec }: Volume): DataObstacle {
  const message = `volume ${metadata.name} of class ${spec.storageClassName} was free, and was bound instead of a new one from the snapshot: it is given back; ${createAnew('when no free volume of this class is as large as it requests')}`;
  return reject('OtherVolumeMatches', message);
}
