import type { Claim, ClusterObject, Volume } from '../../kubernetes/objects.ts';
import { isOf } from '../../kubernetes/of-kind.ts';
import { parseIdentity } from '../../kubernetes/places.ts';
import { displayName, type Key, keyNamed, resources } from '../../kubernetes/resources.ts';
import type { Capability, Change, Route } from '../../reconcile/routing.ts';
import { ClaimIndex } from './claim-index.ts';
import { copyKeyOf, isReserved } from './given.ts';
import { need } from './indexed.ts';
import { claimAnnotation, copyNameFor, isCopy, systemNamespace } from './names.ts';
import type { VolumeSnapshot } from './objects.ts';
import { reads } from './reads.ts';
import { awaitsPolicy, takenOn } from './taken.ts';

/** Claims with data sources: which change concerns which claim. What our own steps write costs no message. */
export const dataSources: Capability = {
  name: 'data-sources',
  functions: ['populate-claim', 'check-source'],
  resources: [
    resources.volumePopulator,
    resources.storageClass,
    resources.referenceGrant,
    resources.snapshotLink,
    resources.snapshot,
    resources.snapshotContent,
    resources.volume,
    resources.claim,
  ],
  reads,
  createRouter: () => {
    const index = new ClaimIndex();
    return { note: (change) => index.note(change), routesOf: (change) => routesOf(change, index) };
  },
};

function routesOf(change: Change, index: ClaimIndex): Route[] {
  const { object, type } = change;
  const name = displayName(object.metadata);
  // Whoever waits is listed too, and looks at everything then.
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
      // The first of all tells of every other kind as well: that somebody registers at all.
      return waiting('kind', 'any');
    default:
      return [];
  }
}

function routesOfClaim({ type }: Change, claim: Claim, name: string, index: ClaimIndex, cloning: Route[]): Route[] {
  if (isCopy(claim)) return routesOfCopy(type, claim, index, index.hasChanged() && !index.isFirstSeen());
  const noted = index.get(name);
  // A claim that is cloned matters when it comes to be there or goes, and when it has its volume.
  const others = type === 'updated' && !index.hasChanged() ? [] : cloning;
  const goneUid = index.goneWhileHeld(name);
  // Somebody may have taken our finalizer off.
  if (goneUid) return [toCopies(copyNameFor(goneUid)), ...others];
  if (!noted) return others;
  const isConcerned = type === 'listed' ? !noted.isAtRest : index.hasClaimChanged(name);
  return isConcerned ? [toClaim(name, index), ...others] : others;
}

function routesOfSnapshot({ type }: Change, snapshot: VolumeSnapshot, index: ClaimIndex, waiting: Route[]): Route[] {
  if (isCopy(snapshot)) return routesOfCopy(type, snapshot, index, index.hasChanged() && !index.isFirstSeen());
  return index.hasChanged() ? waiting : [];
}

/** A volume that was made for a prime claim too late to be of use, or was taken for one in error. */
function routesOfVolume({ type }: Change, volume: Volume, index: ClaimIndex): Route[] {
  if (type === 'deleted') return [];
  const key = copyKeyOf(volume);
  const taken = takenOn(volume);
  if (!key) return [...(taken && awaitsPolicy(volume) ? [toCopies(taken.by)] : []), ...toReservedFor(volume, index)];
  return volume.status?.phase === 'Released' || isReserved(volume) ? [toCopies(key.name)] : [];
}

/** The claim that a provisioner has made the volume for, if that has another one by now: its owner is told. */
function toReservedFor(volume: Volume, index: ClaimIndex): Route[] {
  const { namespace = '', name = '' } = volume.spec.claimRef ?? {};
  const claim = displayName({ namespace, name });
  const noted = isReserved(volume) ? index.get(claim) : undefined;
  const isMadeFor = noted?.function === 'check-source' && volume.metadata.name === `pvc-${noted.uid}`;
  return isMadeFor ? [toClaim(claim, index)] : [];
}

/**
 * The claim that a copy is for; where that is not there any more, the copies' own key. A claim waits for what its copies
 * become, and for them to be gone before it begins anew; one that has its volume waits for nothing of them.
 */
function routesOfCopy(type: Change['type'], copy: ClusterObject, index: ClaimIndex, isNews: boolean): Route[] {
  const owner = parseIdentity(copy.metadata.annotations?.[claimAnnotation]);
  const noted = owner && index.get(displayName(owner));
  const isGoing = type === 'deleted' || copy.metadata.deletionTimestamp !== undefined;
  if (!owner || noted?.uid !== owner.uid) return isGoing && type !== 'listed' ? [] : [toCopies(copy.metadata.name)];
  const isWaitedFor = !noted.isBound && (isNews || type === 'deleted');
  // A worker that was held up has made it too late; a claim that is not at rest is listed itself.
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
