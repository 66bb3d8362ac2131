import type { Claim, Volume } from '../../kubernetes/objects.ts';
import { isOf } from '../../kubernetes/of-kind.ts';
import { displayName, type Key, keyNamed, resources } from '../../kubernetes/resources.ts';
import type { Change, Reconsidered, Route } from '../../reconcile/routing.ts';
import type { ClaimIndex } from './claim-index.ts';
import { type NotedCopy, notedCopy } from './copy-index.ts';
import { copyKeyOf, isReserved } from './given.ts';
import { need } from './indexed.ts';
import { copyNameFor, isCopy, systemNamespace } from './names.ts';
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
      return isCopy(object) ? routesOfCopy(change, index, false) : [];
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

/** Whether copies are of use depends on their claim, which may change after them. */
export function reconsider(change: Change, index: ClaimIndex): Reconsidered[] {
  if (!isOf(change, resources.claim) || isCopy(change.object)) return [];
  return index.copies.of(displayName(change.object.metadata)).map((copy) => ({
    resource: copy.resource,
    key: copy.key,
    owner: systemNamespace,
    routes: workOfCopy(copy, index),
  }));
}

function routesOfClaim(change: Change, claim: Claim, name: string, index: ClaimIndex, cloning: Route[]): Route[] {
  if (isCopy(claim)) return routesOfCopy(change, index, index.hasChanged() && !index.isFirstSeen());
  const { type } = change;
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

function routesOfSnapshot(change: Change, snapshot: VolumeSnapshot, index: ClaimIndex, waiting: Route[]): Route[] {
  if (isCopy(snapshot)) return routesOfCopy(change, index, index.hasChanged() && !index.isFirstSeen());
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
function routesOfCopy(change: Change, index: ClaimIndex, isNews: boolean): Route[] {
  const { type } = change;
  const copy = notedCopy(change);
  if (type === 'listed') return workOfCopy(copy, index);
  const { claim, key } = copy;
  const noted = claim && index.get(displayName(claim));
  const isGoing = type === 'deleted' || copy.isGoing;
  if (!claim || noted?.uid !== claim.uid) return isGoing ? [] : [toCopies(key.name)];
  const isWaitedFor = !noted.isBound && (isNews || type === 'deleted');
  const isTooMuch = noted.isAtRest && !isGoing && type === 'added';
  return isWaitedFor || isTooMuch ? [toClaim(displayName(claim), index)] : [];
}

/** What is unfinished of a copy: its claim is gone, or is at rest because a delayed worker made the copy too late. */
function workOfCopy({ claim, key, isGoing }: NotedCopy, index: ClaimIndex): Route[] {
  const noted = claim && index.get(displayName(claim));
  if (!claim || noted?.uid !== claim.uid) return [toCopies(key.name)];
  // A claim that is not at rest is listed itself.
  return noted.isAtRest && !isGoing ? [toClaim(displayName(claim), index)] : [];
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
