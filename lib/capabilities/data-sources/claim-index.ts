import { isOf } from '../../kubernetes/of-kind.ts';
import { displayName, resources } from '../../kubernetes/resources.ts';
import { NameSets } from '../../reconcile/name-sets.ts';
import type { Change } from '../../reconcile/routing.ts';
import { CopyIndex } from './copy-index.ts';
import {
  copySignature,
  type IndexedClaim,
  indexedClaim,
  type Need,
  need,
  originalSignature,
  primeSignature,
  snapshotSignature,
  specSignature,
  working,
} from './indexed.ts';
import { isCopy } from './names.ts';
import type { VolumeSnapshotLink } from './objects.ts';

/**
 * The claims that ask for data, and the objects that they need for it, by name. It remembers the previous state of
 * each.
 */
export class ClaimIndex {
  readonly copies = new CopyIndex();
  private readonly claims = new Map<string, IndexedClaim>();
  private readonly byNeed = new NameSets();
  /** The snapshots that links refer to, as further needs of the claims that name a link. */
  private readonly links = new Map<string, Need[]>();
  private readonly linksByNeed = new NameSets();
  /** The last state seen of snapshots and prime claims, by kind and name. */
  private readonly signatures = new Map<string, string>();
  private claimBefore: IndexedClaim | undefined;
  private isNews = false;
  private isNew = false;

  note(change: Change): void {
    const { kind } = change.resource;
    const name = displayName(change.object.metadata);
    const isThere = change.type !== 'deleted';
    this.copies.note(change);
    if (isOf(change, resources.claim)) this.noteClaim(name, isThere ? indexedClaim(change.object) : undefined);
    if (isOf(change, resources.snapshotLink)) this.noteLink(name, isThere ? change.object : undefined);
    const signature = this.signatureOf(change, name);
    if (signature !== undefined) this.noteSignature(`${kind} ${name}`, isThere ? signature : undefined);
  }

  get(claim: string): IndexedClaim | undefined {
    return this.claims.get(claim);
  }

  /** True if the claim that was noted last has changed in a way that matters to its function. */
  hasClaimChanged(claim: string): boolean {
    const [before, after] = [this.claimBefore, this.claims.get(claim)];
    // Longshore adds the finalizer itself; others may remove it.
    const isHoldRemoved = before?.isHeld === true && after?.isHeld === false && !after.isAtRest;
    const isPlaced = after?.node !== undefined && before?.node !== after.node;
    return before?.signature !== after?.signature || isPlaced || isHoldRemoved;
  }

  /** The uid of the claim that was noted last, if it is gone and may have had copies. */
  goneWhileHeld(claim: string): string | undefined {
    const { claimBefore: before } = this;
    return before?.mayHaveCopies && !this.claims.has(claim) ? before.uid : undefined;
  }

  /** True if the snapshot or prime claim that was noted last has changed in a way that matters. */
  hasChanged(): boolean {
    return this.isNews;
  }

  /** True if it had not been seen before. */
  isFirstSeen(): boolean {
    return this.isNew;
  }

  /** The claims that need this, directly or through a link, and are not at rest. */
  waitingFor(needed: Need): string[] {
    const links = this.linksByNeed.of(needed);
    const claims = [needed, ...links.map((link) => need('link', link))].flatMap((each) => this.byNeed.of(each));
    return [...new Set(claims)].filter((claim) => this.claims.get(claim)?.isAtRest === false);
  }

  private noteClaim(name: string, after: IndexedClaim | undefined): void {
    const before = this.claims.get(name);
    this.claimBefore = before;
    // Most claims ask for no data, and never did.
    if (!before && !after) return;
    for (const each of before?.needs ?? []) this.byNeed.delete(each, name);
    this.claims.delete(name);
    if (!after) return;
    // Someone may have removed our finalizer while the copies still exist.
    const hadCopies = before?.uid === after.uid && before.mayHaveCopies;
    this.claims.set(name, { ...after, mayHaveCopies: !after.isAtRest && (after.mayHaveCopies || hadCopies) });
    for (const each of after.needs) this.byNeed.add(each, name);
  }

  private noteLink(name: string, link: VolumeSnapshotLink | undefined): void {
    for (const each of this.links.get(name) ?? []) this.linksByNeed.delete(each, name);
    this.links.delete(name);
    if (!link) return;
    const { source } = link.spec;
    const namespace = source.namespace || link.metadata.namespace || '';
    const needs = [need('snapshot', displayName({ namespace, name: source.name })), need('grants', namespace)];
    this.links.set(name, needs);
    for (const each of needs) this.linksByNeed.add(each, name);
  }

  private noteSignature(name: string, signature: string | undefined): void {
    const before = this.signatures.get(name);
    this.isNew = before === undefined;
    this.isNews = before !== signature && signature !== working;
    if (signature === undefined) this.signatures.delete(name);
    else this.signatures.set(name, signature);
  }

  private signatureOf(change: Change, name: string): string | undefined {
    if (isOf(change, resources.snapshot)) {
      return (isCopy(change.object) ? copySignature : snapshotSignature)(change.object);
    }
    const isReference = isOf(change, resources.snapshotLink) || isOf(change, resources.referenceGrant);
    if (isReference) return specSignature(change.object);
    if (!isOf(change, resources.claim)) return undefined;
    if (isCopy(change.object)) return primeSignature(change.object);
    // Other claims are remembered only if they are being cloned.
    return this.byNeed.hasAny(need('claim', name)) ? originalSignature(change.object) : undefined;
  }
}
