import type { Claim, ClusterObject, Volume } from '../../kubernetes/objects.ts';
import { isOf } from '../../kubernetes/of-kind.ts';
import { parseIdentity } from '../../kubernetes/places.ts';
import { displayName, type Key, keyNamed, resources } from '../../kubernetes/resources.ts';
import type { Change, Route } from '../../reconcile/routing.ts';
import type { ClaimIndex } from './claim-index.ts';
import { copyKeyOf, isReserved } from './given.ts';
import { need } from './indexed.ts';
import { claimAnnotation, copyNameFor, isCopy, systemNamespace } from './names.ts';
import type { VolumeSnapshot } from './objects.ts';
import { awaitsPolicy, takenOn } from './taken.ts';

export function routesOf(change: Change, index: ClaimIndex): Route[] {
  const { object, type } = change;
  const name = displayName(object.metadata);
  // The waiting claims are listed themselves, and read everything then.
  const waiting = (kind: Parameters<typeof need>[0], needed: string) =>
    type === 'listed' ? [] : index.waitingFor(need(kind, needed)).map((claim) => toClaim(claim, index));
  if (isOf(change, resources.claim)) return routesOfClaim(change, change.object, name, index, waiting('claim', name));
  if (isOf(change, resources.snapshot)) {
    return routesOfSnapshot(change, change.object, index, waiting('snapshot', name));
  }
  if (isOf(change, resources.volume)) return routesOfVolume(change, change.object, index);
  switch (change.resource) {
    case resources.snapshotContent:
      return isCopy(object) ? routesOfCopy(type, object, index, false) : [];
    case resources.snapshotLink:
      return index.hasChanged() ? waiting('link', name) : [];
    case resources.referenceGrant:
      return index.hasChanged() ? waiting('grants', object.metadata.namespace ?? '') : [];
    case resources.storageClass:
      return waiting('class', name);
    case resources.volumePopulator:
      // The first registration concerns every other kind too: it shows that populators register at all.
      return waiting('kind', 'any');
    default:
      return [];
  }
}

function routesOfClaim({ type }: Change, claim: Claim, name: string, index: ClaimIndex, cloning: Route[]): Route[] {
  if (isCopy(claim)) return routesOfCopy(type, claim, index, index.hasChanged() && !index.isFirstSeen());
  const noted = index.get(name);
  // A claim that is cloned matters when it appears or is deleted, and when it gets its volume.
  const others = type === 'updated' && !index.hasChanged() ? [] : cloning;
  const goneUid = index.goneWhileHeld(name);
  // Someone may have removed our finalizer.
  if (goneUid) return [toCopies(copyNameFor(goneUid)), ...others];
  if (!noted) return others;
  const isConcerned = type === 'listed' ? !noted.isAtRest : index.hasClaimChanged(name);
  if (!isConcerned) return others;
  const own = toClaim(name, index);
  return [type === 'listed' && noted.isSettled ? { ...own, only: 'check' } : own, ...others];
}

function routesOfSnapshot({ type }: Change, snapshot: VolumeSnapshot, index: ClaimIndex, waiting: Route[]): Route[] {
  if (isCopy(snapshot)) return routesOfCopy(type, snapshot, index, index.hasChanged() && !index.isFirstSeen());
  return index.hasChanged() ? waiting : [];
}

/** A volume that was made for a prime claim too late to be used, or was bound to one in error. */
function routesOfVolume({ type }: Change, volume: Volume, index: ClaimIndex): Route[] {
  if (type === 'deleted') return [];
  const key = copyKeyOf(volume);
  const taken = takenOn(volume);
  if (!key) return [...(taken && awaitsPolicy(volume) ? [toCopies(taken.by)] : []), ...toReservedFor(volume, index)];
  return volume.status?.phase === 'Released' || isReserved(volume) ? [toCopies(key.name)] : [];
}

/** The claim that a provisioner made the volume for, if that has another one by now: its owner is informed. */
function toReservedFor(volume: Volume, index: ClaimIndex): Route[] {
  const { namespace = '', name = '' } = volume.spec.claimRef ?? {};
  const claim = displayName({ namespace, name });
  const noted = isReserved(volume) ? index.get(claim) : undefined;
  const isMadeFor = noted?.function === 'check-source' && volume.metadata.name === `pvc-${noted.uid}`;
  return isMadeFor ? [toClaim(claim, index)] : [];
}

/**
 * The claim that a copy is for; the copies' own key, if the claim is gone. A claim waits until its copies are ready,
 * and until they are gone before it starts over; a claim with its volume needs nothing of them.
 */
function routesOfCopy(type: Change['type'], copy: ClusterObject, index: ClaimIndex, isNews: boolean): Route[] {
  const owner = parseIdentity(copy.metadata.annotations?.[claimAnnotation]);
  const noted = owner && index.get(displayName(owner));
  const isGoing = type === 'deleted' || copy.metadata.deletionTimestamp !== undefined;
  if (!owner || noted?.uid !== owner.uid) return isGoing && type !== 'listed' ? [] : [toCopies(copy.metadata.name)];
  const isWaitedFor = !noted.isBound && ((isNews && type !== 'listed') || type === 'deleted');
  // A delayed worker made it too late. A claim that is not at rest is listed itself.
  const isTooMuch = noted.isAtRest && !isGoing && (type === 'added' || type === 'listed');
  return isWaitedFor || isTooMuch ? [toClaim(displayName(owner), index)] : [];
}

function toClaim(claim: string, index: ClaimIndex): Route {
  return toKey(index.get(claim)?.function ?? 'populate-claim', keyNamed(claim));
}

function toCopies(name: string): Route {
  return toKey('populate-claim', { namespace: systemNamespace, name });
}

function toKey(functionName: string, key: Key): Route {
  return { function: functionName, resource: resources.claim, key };
}
