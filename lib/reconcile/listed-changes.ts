import type { Resource } from '../kubernetes/resource.ts';
import type { Change } from './routing.ts';
import type { TolerantRouter } from './tolerant-router.ts';

/** Holds the results of a list until all kinds are listed: the indexes must be complete before the first message is sent. */
export class Listing {
  private readonly router: TolerantRouter;
  private readonly changes = new Map<Resource, Change[]>();

  constructor(router: TolerantRouter) {
    this.router = router;
  }

  /** Returns true if it is kept. */
  add(change: Change): boolean {
    this.forget(change);
    // An object that concerns no key yet may do so once others are listed, but those then cause a message themselves.
    if (this.router.take(change).length === 0) return false;
    const ofKind = this.changes.get(change.resource) ?? [];
    this.changes.set(change.resource, ofKind);
    ofKind.push(change);
    return true;
  }

  /** The changes of one kind that may concern a key. */
  of(resource: Resource): readonly Change[] {
    return this.changes.get(resource) ?? [];
  }

  /** Drops the first result for an object that has changed during the list. */
  private forget({ type, resource, object: { metadata } }: Change): void {
    const ofKind = this.changes.get(resource);
    if (type !== 'deleted' || !ofKind) return;
    this.changes.set(
      resource,
      ofKind.filter(({ object }) => object.metadata.uid !== metadata.uid),
    );
  }
}
