import { type Identity, parseIdentity } from '../../kubernetes/places.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { displayName, type Key, resources } from '../../kubernetes/resources.ts';
import { NameSets } from '../../reconcile/name-sets.ts';
import type { Change } from '../../reconcile/routing.ts';
import { claimAnnotation, isCopy } from './names.ts';

/** A copy, and the claim that it is for, if it names one. */
export interface NotedCopy {
  resource: Resource;
  key: Key;
  claim: Identity | undefined;
  isGoing: boolean;
}

const kinds: readonly Resource[] = [resources.claim, resources.snapshot, resources.snapshotContent];

/** The copies that exist, by the names of their claims: what there is to do for a copy depends on its claim. */
export class CopyIndex {
  private readonly copies = new Map<string, NotedCopy>();
  private readonly byClaim = new NameSets();

  note(change: Change): void {
    const { type, resource, object } = change;
    if (!kinds.includes(resource)) return;
    const isThere = type !== 'deleted' && isCopy(object);
    // Most claims are no copies, and most of the time there are none.
    if (!isThere && this.copies.size === 0) return;
    const name = `${resource.kind} ${displayName(object.metadata)}`;
    const before = this.copies.get(name);
    if (before?.claim) this.byClaim.delete(displayName(before.claim), name);
    this.copies.delete(name);
    if (!isThere) return;
    const copy = notedCopy(change);
    this.copies.set(name, copy);
    if (copy.claim) this.byClaim.add(displayName(copy.claim), name);
  }

  of(claim: string): NotedCopy[] {
    return this.byClaim.of(claim).flatMap((copy) => this.copies.get(copy) ?? []);
  }
}

export function notedCopy({ resource, object: { metadata } }: Change): NotedCopy {
  const { namespace, name, annotations, deletionTimestamp } = metadata;
  return {
    resource,
    key: namespace === undefined ? { name } : { namespace, name },
    claim: parseIdentity(annotations?.[claimAnnotation]),
    isGoing: deletionTimestamp !== undefined,
  };
}
