import type { Uid } from '../../../kubernetes/brands.ts';
import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { isOf } from '../../../kubernetes/of-kind.ts';
import { displayName, resources } from '../../../kubernetes/resources.ts';
import { NameSets } from '../../../reconcile/name-sets.ts';
import type { Change } from '../../../reconcile/routing.ts';
import { isFenced } from '../by-request/claim-marks.ts';
import { recordOf, undoingOf } from '../by-request/volume-marks.ts';
import { pointsTo } from '../claim-ref.ts';
import { acceptedFrom, isOffered, isPending, type NamedClaim, offeredTo, otherFinalizers } from './claim-marks.ts';
import { offerOn } from './volume-marks.ts';

interface NotedOffer {
  source: string;
  /** Another claim of the source's name is not part of it. */
  sourceUid: Uid;
  destination: string;
  /** The source has been released, but the destination does not have the volume yet. */
  isUpForTaking: boolean;
}

interface IndexedClaim {
  signature: string;
  /** The claim to which it is offered, and the claim whose volume it accepts. */
  destination: string | undefined;
  accepted: string | undefined;
}

/** The claims that are offered and accepted, and the volumes that wait for that, by name. */
export class OfferIndex {
  private readonly claims = new Map<string, IndexedClaim>();
  private readonly acceptors = new NameSets();
  private readonly volumes = new NameSets();
  private readonly offers = new Map<string, NotedOffer>();
  private changedClaim: string | undefined;
  private endedOffer: NotedOffer | undefined;
  private newlyUpForTaking = false;
  /** The volumes that a request is moving. */
  private readonly engaged = new Set<string>();
  private newlyFree: string | undefined;

  note(change: Change): void {
    const { type } = change;
    if (isOf(change, resources.claim)) {
      this.noteClaim(type === 'deleted' ? undefined : change.object, change.object.metadata);
    }
    if (isOf(change, resources.volume)) this.noteVolume(type, change.object);
  }

  /** True if the change that was noted last concerned this claim and matters here: our own marks do not. */
  hasChanged(claim: string): boolean {
    return this.changedClaim === claim;
  }

  /** The volumes whose offers name this claim, on either side. */
  volumesOf(claim: string): string[] {
    return this.volumes.of(claim);
  }

  /**
   * True if everything that this claim offers and accepts is recorded on volumes: their keys do all the work for it.
   */
  isLedByVolumes(claim: Claim): boolean {
    const name = displayName(claim.metadata);
    const offers = this.volumes.of(name).flatMap((volume) => this.offers.get(volume) ?? []);
    const isSource = offeredTo(claim) !== undefined || isOffered(claim);
    const accepted = acceptedFrom(claim);
    const isOfSource = offers.some(({ sourceUid }) => sourceUid === claim.metadata.uid);
    const isOfTarget = offers.some(({ source, destination }) => destination === name && source === nameIn(accepted));
    return (isSource || accepted !== undefined) && (!isSource || isOfSource) && (!accepted || isOfTarget);
  }

  /** The claims that accept this one's volume without an offer: other routes do not reach them. */
  strandedAcceptors(claim: string): string[] {
    return this.acceptors.of(claim).filter((acceptor) => acceptor !== this.claims.get(claim)?.destination);
  }

  isAccepted({ source, destination }: NotedOffer): boolean {
    return this.acceptors.has(source, destination);
  }

  isOffered(claim: string): boolean {
    return this.claims.get(claim)?.destination !== undefined;
  }

  /** The offer that the change that was noted last ended or redirected for the volume. */
  justEnded(): NotedOffer | undefined {
    return this.endedOffer;
  }

  /** The offer of a volume that, since the change that was noted last, only waits for acceptance. */
  justUpForTaking(volume: string): NotedOffer | undefined {
    return this.newlyUpForTaking ? this.offers.get(volume) : undefined;
  }

  /** True if the change that was noted last ended the request's transfer of the volume. */
  hasJustBecomeFree(volume: string): boolean {
    return this.newlyFree === volume;
  }

  private noteClaim(claim: Claim | undefined, metadata: Claim['metadata']): void {
    const name = displayName(metadata);
    const before = this.claims.get(name);
    const after = claim && indexedClaim(claim);
    this.changedClaim = before?.signature === after?.signature ? undefined : name;
    if (after) this.claims.set(name, after);
    else if (before) this.claims.delete(name);
    if (before?.accepted) this.acceptors.delete(before.accepted, name);
    if (after?.accepted) this.acceptors.add(after.accepted, name);
  }

  private noteVolume(type: Change['type'], volume: Volume): void {
    const { name } = volume.metadata;
    const isEngaged = type !== 'deleted' && (recordOf(volume) !== undefined || undoingOf(volume) !== undefined);
    this.newlyFree = this.engaged.delete(name) && !isEngaged ? name : undefined;
    if (isEngaged) this.engaged.add(name);
    const before = this.offers.get(name);
    const offer = type === 'deleted' ? undefined : offerOn(volume);
    const isSame = offer && before?.destination === displayName(offer.destination);
    this.endedOffer = isSame ? undefined : before;
    this.newlyUpForTaking = false;
    for (const claim of before ? [before.source, before.destination] : []) this.volumes.delete(claim, name);
    this.offers.delete(name);
    if (!offer) return;
    const isUpForTaking = offer.releasedAt !== undefined && !pointsTo(volume, offer.destination);
    this.newlyUpForTaking = isUpForTaking && before?.isUpForTaking !== true;
    const [source, destination] = [displayName(offer.source), displayName(offer.destination)];
    this.offers.set(name, { source, sourceUid: offer.source.uid, destination, isUpForTaking });
    for (const claim of [source, destination]) this.volumes.add(claim, name);
  }
}

/** Undefined for a claim that is not part of a transfer: most never are. */
function indexedClaim(claim: Claim): IndexedClaim | undefined {
  const [offer, acceptance] = [offeredTo(claim), acceptedFrom(claim)];
  if (!offer && !acceptance && !isOffered(claim) && !isPending(claim)) return undefined;
  const signature = signatureOf(claim, textOf(offer), textOf(acceptance));
  return { signature, destination: nameIn(offer), accepted: nameIn(acceptance) };
}

/** The fields of a claim that matter to its transfer, without our own marks. */
function signatureOf(claim: Claim, offer: string, acceptance: string): string {
  const { uid, deletionTimestamp } = claim.metadata;
  const parts = otherFinalizers(claim).sort();
  // A malformed annotation may contain anything: with their lengths, two different pairs cannot become the same string.
  parts.push(uid ?? '', deletionTimestamp ?? '', String(isFenced(claim)), claim.status?.phase ?? '');
  // A claim that has been enlarged may be more than what whoever accepts it asks for.
  parts.push(claim.spec.resources?.requests?.storage ?? '');
  parts.push(String(offer.length), offer, acceptance);
  // Joined into one string: a concatenation stays in pieces in memory, and there is one for each claim.
  return parts.join(' ');
}

function textOf(named: NamedClaim | undefined): string {
  if (!named) return '';
  return 'place' in named ? named.text : named.malformed;
}

function nameIn(named: NamedClaim | undefined): string | undefined {
  return named && 'place' in named ? named.text : undefined;
}
