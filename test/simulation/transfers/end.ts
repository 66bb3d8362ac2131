import { accepts } from '../../../lib/capabilities/transfers/by-annotation/acceptance-checks.ts';
import {
  hasArrived,
  isComplete,
  isOffered,
  isPending,
} from '../../../lib/capabilities/transfers/by-annotation/claim-marks.ts';
import { type Offer, offerOn } from '../../../lib/capabilities/transfers/by-annotation/volume-marks.ts';
import { fenceOf, transferredBy } from '../../../lib/capabilities/transfers/by-request/claim-marks.ts';
import { matches } from '../../../lib/capabilities/transfers/by-request/consent.ts';
import { recordOf, undoingOf } from '../../../lib/capabilities/transfers/by-request/volume-marks.ts';
import { pointsTo } from '../../../lib/capabilities/transfers/claim-ref.ts';
import { keptLabel } from '../../../lib/capabilities/transfers/kept-label.ts';
import { appliesTo } from '../../../lib/kubernetes/namespace-consent.ts';
import type { Claim, TransferApproval, TransferRequest, Volume } from '../../../lib/kubernetes/objects.ts';
import { formatPlace, identityOf, placeOf, sameIdentity, samePlace } from '../../../lib/kubernetes/places.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { Violation } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { countsFor, neededBy } from './fake-driver.ts';
import type { TransferInvariants } from './invariants.ts';
import { place, volumeName } from './objects.ts';
import type { TransferScenario } from './scenario.ts';

/** What must be true in the end, when nothing moves any more and no obstacle is left. */
export function checkEnd(cluster: FakeCluster, scenario: TransferScenario, invariants: TransferInvariants): void {
  for (const request of cluster.all(resources.transferRequest)) checkReplaced(cluster, request);
  const volume = cluster.read(nameOf(resources.volume, undefined, volumeName));
  if (!volume) {
    if (!invariants.givenUpByUser) throw new Violation('the volume is gone');
    return;
  }
  const claims = cluster.all(resources.claim);
  const holder = claims.find(({ metadata }) => metadata.uid === volume.spec.claimRef?.uid);
  const offer = offerOn(volume);
  if (!holder) checkParked(volume, offer, invariants);
  checkLabel(volume, offer, holder);
  if (offer?.isStopped && !scenario.wasForced) throw new Violation('an offer is stopped although nobody used force');
  if (offer) checkOffer(volume, offer, meantBy(offer, claims, cluster), holder);
  else checkAtRest(volume, claims, scenario, cluster);
  if (holder && holder.status?.phase !== 'Bound') throw new Violation('the claim that has the volume is not bound');
  for (const request of cluster.all(resources.transferRequest)) {
    checkRequest(
      cluster,
      invariants,
      request,
      holder,
      volume,
      scenario.isRefused && request.metadata.namespace === place.target,
    );
  }
  const offers = cluster.all(resources.volume).flatMap((each) => offerOn(each) ?? []);
  for (const claim of claims) checkClaim(claim, volume, offers, claims);
  const leftOver = claims.find(
    ({ metadata, spec }) => spec.volumeName === volumeName && metadata.uid !== holder?.metadata.uid,
  );
  if (leftOver) throw new Violation(`claim ${leftOver.metadata.name} waits for a volume that it never gets`);
}

/**
 * What waits without a claim is counted by no quota: only where its namespace has gone, or where those whose it is have
 * only to make a claim of the name that it has. What force has stopped an administrator decides about.
 */
function checkParked(volume: Volume, offer: Offer | undefined, invariants: TransferInvariants): void {
  const isWithdrawn = volume.metadata.annotations?.['pv.kubernetes.io/transfer-status'] === 'withdrawn';
  if (!invariants.isHomeThere || !(isWithdrawn || offer) || offer?.isStopped) return;
  const isTheirs = offer?.releasedAt && pointsTo(volume, offer.destination);
  if (!isTheirs) throw new Violation('a volume is parked outside every claim though its namespace is there');
}

/** Whoever lists what is kept finds it, and nothing else. */
function checkLabel(volume: Volume, offer: Offer | undefined, holder: Claim | undefined): void {
  const isWithdrawn = volume.metadata.annotations?.['pv.kubernetes.io/transfer-status'] === 'withdrawn';
  const isOurs = isWithdrawn || offer !== undefined;
  const kept = holder?.metadata.deletionTimestamp ? 'by-deleted-claim' : holder ? undefined : 'without-claim';
  const expected = isOurs ? kept : undefined;
  const label = volume.metadata.labels?.[keptLabel];
  if (label !== expected) throw new Violation(`the volume is labelled as kept ${label}, and not ${expected}`);
}

/** Nothing is under way: no mark is left, and the policy is the one that the volume had. */
function checkAtRest(volume: Volume, claims: Claim[], scenario: TransferScenario, cluster: FakeCluster): void {
  const { annotations = {} } = volume.metadata;
  const isWithdrawn = annotations['pv.kubernetes.io/transfer-status'] === 'withdrawn';
  if (scenario.isRefused && checkHeld(volume, claims)) return;
  if (!isWithdrawn && Object.keys(annotations).some((key) => key.startsWith('longshore.dev/'))) {
    throw new Violation('the volume still carries the record of a transfer');
  }
  // What a request has left behind of another volume is an offer of that.
  const others = cluster.all(resources.volume).flatMap((each) => offerOn(each)?.source.uid ?? []);
  const fenced = claims.find(
    ({ metadata }) => metadata.finalizers?.includes('longshore.dev/transfer') && !others.includes(metadata.uid ?? ''),
  );
  if (fenced) throw new Violation(`claim ${fenced.metadata.namespace}/${fenced.metadata.name} is still fenced`);
  const policy = volume.spec.persistentVolumeReclaimPolicy;
  const isKept = isWithdrawn && volume.status?.phase === 'Released';
  if (policy !== (isKept ? 'Retain' : scenario.originalPolicy)) {
    throw new Violation(`the reclaim policy is ${policy} in the end`);
  }
}

/**
 * What only the target's side can end holds no claim, but one that its owner has deleted, or that was recorded as moving: and
 * that one says so.
 */
function checkHeld(volume: Volume, claims: Claim[]): boolean {
  const source = claims.find((claim) => fenceOf(claim) && claim.metadata.namespace === place.source);
  if (!recordOf(volume) && !source?.metadata.deletionTimestamp) return false;
  if (source && !isTold(source)) throw new Violation('a deleted claim is held, and does not say what for');
  return true;
}

/** Where the namespace was made anew that it was offered to, nobody there is meant. */
function meantBy({ destination, destinationNamespace }: Offer, claims: Claim[], cluster: FakeCluster): Claim[] {
  const uid = cluster.namespaces.get(destination.namespace)?.metadata.uid;
  if (destinationNamespace === undefined || destinationNamespace === uid) return claims;
  return claims.filter(({ metadata }) => metadata.namespace !== destination.namespace);
}

/** An offer that is still open waits for one of its sides, and for nothing else. */
function checkOffer(volume: Volume, offer: Offer, claims: Claim[], holder: Claim | undefined): void {
  if (volume.spec.persistentVolumeReclaimPolicy !== 'Retain') throw new Violation('an offered volume is not retained');
  const source = claims.find(({ metadata }) => metadata.uid === offer.source.uid);
  const target = claims.find((claim) => samePlace(placeOf(claim), offer.destination));
  if (source) {
    const isAccepted =
      target && accepts(target, offer.source) && !target.spec.volumeName && isLargeEnough(target, volume, source);
    if (source.metadata.deletionTimestamp) checkStaying(source, offer, isAccepted === true);
    const isOffered = source.metadata.annotations?.transferRequest !== undefined;
    if (isOffered && !isPending(source)) throw new Violation('the volume is safe, but the source does not say so');
    if (isOffered && isAccepted && !isPending(target)) {
      throw new Violation('both sides agree, but the target does not say so');
    }
    return;
  }
  if (holder) throw new Violation('the target has its volume, but the offer is not complete');
  if (offer.isStopped) return;
  const isFree =
    target && !target.spec.volumeName && !target.metadata.deletionTimestamp && isLargeEnough(target, volume, undefined);
  if (isFree && accepts(target, offer.source)) throw new Violation('offered, deleted and accepted, but nothing moves');
}

/** A claim that asks for less than the volume is gets nothing, as its quota would not count it. */
function isLargeEnough(claim: Claim, volume: Volume, source: Claim | undefined): boolean {
  return countsFor(claim, neededBy(volume, source));
}

/** A deleted source stays as long as nobody can have its volume, and says so. */
function checkStaying(source: Claim, { destination }: Offer, isAccepted: boolean): void {
  const isOffered = source.metadata.annotations?.transferRequest === formatPlace(destination);
  if (isOffered && isAccepted) throw new Violation('the source is deleted, offered and accepted, but does not go');
  if (!isTold(source)) throw new Violation('the source is deleted and stays, but does not say why');
}

/** The marks of a transfer by annotation are on claims that it concerns, and nowhere else. */
function checkClaim(claim: Claim, volume: Volume, offers: Offer[], claims: Claim[]): void {
  const name = `claim ${claim.metadata.namespace}/${claim.metadata.name}`;
  const offer = offerOn(volume);
  const isSource = offers.some(({ source }) => source.uid === claim.metadata.uid);
  if (isOffered(claim) && !isSource) throw new Violation(`${name} is still fenced`);
  const isTarget = offers.some(({ destination }) => samePlace(destination, placeOf(claim)));
  if (isPending(claim) && !isSource && !isTarget) throw new Violation(`${name} is pending for ever`);
  const holds = volume.spec.claimRef?.uid === claim.metadata.uid;
  const wish = claim.metadata.annotations?.transferRequest;
  if (holds && wish && !offer && !isTold(claim)) throw new Violation(`${name} is offered, but nothing happens`);
  const isBusy = recordOf(volume) !== undefined || undoingOf(volume) !== undefined || fenceOf(claim) !== undefined;
  const isToldBusy = ['VolumeBusy', 'SourceBusy'].includes(toldReason(claim) ?? '');
  if (holds && wish && !offer && isToldBusy && !isBusy) throw new Violation(`${name} waits for what is over`);
  const accepted = claim.metadata.annotations?.transferAccept;
  if (
    accepted &&
    !hasArrived(claim, { namespace: place.source, name: 'data' }) &&
    !isPending(claim) &&
    !isComplete(claim) &&
    !isTold(claim) &&
    !isFenced(claims)
  ) {
    throw new Violation(`${name} accepts a volume, and is not told what it waits for`);
  }
}

/** A transfer by request has its own conditions, on the request. */
function isFenced(claims: Claim[]): boolean {
  return claims.some(({ metadata }) => metadata.finalizers?.includes('longshore.dev/transfer'));
}

function isTold(claim: Claim): boolean {
  return toldReason(claim) !== undefined;
}

function toldReason(claim: Claim): string | undefined {
  return claim.status?.conditions?.find(({ type, status }) => type === 'Transferred' && status === 'False')?.reason;
}

/** Both sides are told when the approval is for another claim than the one that has the name by now. */
function checkReplaced(cluster: FakeCluster, request: TransferRequest): void {
  const source = cluster.read(nameOf(resources.claim, place.source, 'data'));
  const approval = cluster.all(resources.transferApproval).find((each) => matches(request, each));
  const [ofSource, ofTarget] = [place.source, request.metadata.namespace ?? ''].map((each) =>
    cluster.namespaces.get(each),
  );
  const isOver = !approval || [request, approval].some(({ status }) => status?.complete);
  const isCovered = cluster.all(resources.referenceGrant).length > 0 || isForHolder(approval, source);
  if (isOver || isCovered || !appliesTo(approval, ofTarget) || !appliesTo(request, ofSource)) return;
  const records = cluster.all(resources.volume).flatMap((volume) => recordOf(volume) ?? undoingOf(volume) ?? []);
  if (records.length > 0) return;
  const told = [request, approval].map(({ status }) => status?.conditions?.find(({ type }) => type === 'Matched'));
  if (told.some((condition) => condition?.reason !== 'ApprovedClaimReplaced')) {
    throw new Violation('the approval is for another claim than the present one, and one side is not told');
  }
}

function isForHolder(approval: TransferApproval | undefined, claim: Claim | undefined): boolean {
  const uid = approval?.spec.source.uid;
  return !uid || !claim || uid === claim.metadata.uid;
}

function checkRequest(
  cluster: FakeCluster,
  invariants: TransferInvariants,
  request: TransferRequest,
  holder: Claim | undefined,
  volume: Volume,
  isRefused: boolean,
): void {
  const approvals = cluster.all(resources.transferApproval);
  const approval = approvals.find((candidate) => matches(request, candidate));
  const [ofSource, ofTarget] = [place.source, request.metadata.namespace ?? ''].map((each) =>
    cluster.namespaces.get(each),
  );
  const isOpen = approval !== undefined && !approval.status?.complete && appliesTo(approval, ofTarget);
  const isUnused = isOpen && isForHolder(approval, holder);
  const grants = cluster.all(resources.referenceGrant);
  const isGranted = grants.some((grant) => appliesTo(grant, ofTarget)) && request.metadata.namespace === place.target;
  const by = transferredBy(holder);
  const moved = by !== undefined && sameIdentity(by, identityOf(request));
  if (moved && !request.status?.complete) throw new Violation('moved, but the request is not complete');
  if (moved && approval && invariants.wasGivenBy(approval) && !approval.status?.complete)
    throw new Violation('moved, but the approval is not complete');
  if (request.status?.complete || !(isUnused || isGranted) || !appliesTo(request, ofSource)) return;
  const isSource = holder?.metadata.namespace === place.source && holder.metadata.name === 'data';
  const sourceHolds = isSource && volume.status?.phase === 'Bound';
  const isFree =
    !holder?.metadata.deletionTimestamp && !offerOn(volume) && !isTargetTaken(cluster, request) && !isRefused;
  if (sourceHolds && isFree) throw new Violation('both sides agree, but nothing moves');
  if (!request.status?.conditions?.length) throw new Violation('the request waits and does not say why');
}

/** A claim that accepts a volume by its annotation keeps its name. */
function isTargetTaken(cluster: FakeCluster, { metadata, spec }: TransferRequest): boolean {
  return cluster.read(nameOf(resources.claim, metadata.namespace, spec.targetName)) !== undefined;
}
