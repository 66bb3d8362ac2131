import type { Claim, Volume } from '../../cluster/objects.ts';
import { displayName, resources } from '../../cluster/resources.ts';
import { NameSets } from '../../reconcile/name-sets.ts';
import type { Change } from '../../reconcile/routing.ts';
import { isFenced } from '../by-request/claim-marks.ts';
import { recordOf, undoingOf } from '../by-request/volume-marks.ts';
import { pointsTo } from '../claim-ref.ts';
import { acceptedFrom, isOffered, isPending, offeredTo, otherFinalizers, type Wish } from './claim-marks.ts';
import { offerOn } from './volume-marks.ts';

interface NotedOffer {
  source: string;
  destination: string;
  /** The source has been let go, and the destination has not got the volume yet. */
  isUpForTaking: boolean;
}

/** Which claims are offered and accepted, and which volumes wait for that, by name. */
export class OfferIndex {
  private readonly signatures = new Map<string, string>();
  private readonly destinations = new Map<string, string>();
  private readonly acceptances = new Map<string, string>();
  private readonly acceptors = new NameSets();
  private readonly volumes = new NameSets();
  private readonly offers = new Map<string, NotedOffer>();
  private changedClaim: string | undefined;
  private endedOffer: NotedOffer | undefined;
  private newlyUpForTaking = false;
  /** The volumes that a request is moving. */
  private readonly engaged = new Set<string>();
  private newlyFree: string | undefined;

  note({ type, resource, object }: Change): void {
    if (resource === resources.claim)
      this.noteClaim(type === 'deleted' ? undefined : (object as Claim), object.metadata);
    if (resource === resources.volume) this.noteVolume(type, object as Volume);
  }

  /** Whether the change that was noted last was one of this claim that matters here: not one that our own marks make. */
  hasChanged(claim: string): boolean {
    return this.changedClaim === claim;
  }

  /** The volumes whose offers name this claim, on either side. */
  volumesOf(claim: string): string[] {
    return this.volumes.of(claim);
  }

  /** The claims that accept this one's volume and that it is not offered to: what is done about it does not reach them. */
  strandedAcceptors(claim: string): string[] {
    return this.acceptors.of(claim).filter((acceptor) => acceptor !== this.destinations.get(claim));
  }

  isAccepted({ source, destination }: NotedOffer): boolean {
    return this.acceptors.has(source, destination);
  }

  isOffered(claim: string): boolean {
    return this.destinations.has(claim);
  }

  /** The offer that the volume was part of until the change that was noted last, which ended or redirected it. */
  justEnded(): NotedOffer | undefined {
    return this.endedOffer;
  }

  /** The offer of a volume that since the change that was noted last only waits to be accepted. */
  justUpForTaking(volume: string): NotedOffer | undefined {
    return this.newlyUpForTaking ? this.offers.get(volume) : undefined;
  }

  /** Whether no request moves the volume any more since the change that was noted last. */
  hasJustBecomeFree(volume: string): boolean {
    return this.newlyFree === volume;
  }

  private noteClaim(claim: Claim | undefined, metadata: Claim['metadata']): void {
    const name = displayName(metadata);
    const before = this.signatures.get(name);
    const after = claim && signatureOf(claim);
    this.changedClaim = before === after ? undefined : name;
    set(this.signatures, name, after);
    set(this.destinations, name, nameIn(offeredTo(claim)));
    const accepted = nameIn(acceptedFrom(claim));
    this.acceptors.delete(this.acceptances.get(name) ?? '', name);
    set(this.acceptances, name, accepted);
    if (accepted) this.acceptors.add(accepted, name);
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
    this.offers.set(name, { source, destination, isUpForTaking });
    for (const claim of [source, destination]) this.volumes.add(claim, name);
  }
}

/** What of a claim matters to its transfer, without our own marks; undefined for a claim that has none. */
function signatureOf(claim: Claim): string | undefined {
  const [offer, acceptance] = [offeredTo(claim), acceptedFrom(claim)];
  if (!offer && !acceptance && !isOffered(claim) && !isPending(claim)) return undefined;
  const { uid, deletionTimestamp } = claim.metadata;
  const finalizers = otherFinalizers(claim).sort();
  return JSON.stringify([uid, offer, acceptance, deletionTimestamp, finalizers, isFenced(claim), claim.status?.phase]);
}

function set(map: Map<string, string>, key: string, value: string | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

function nameIn(wish: Wish | undefined): string | undefined {
  return wish && 'place' in wish ? displayName(wish.place) : undefined;
}
