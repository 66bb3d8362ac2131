import type { Resource } from '../kubernetes/resource.ts';
import type { Change } from './routing.ts';
import type { TolerantRouter } from './tolerant-router.ts';

/** What a list has found, until all is listed: the index must know of everything before the first message is sent. */
export class Listing {
  private readonly router: TolerantRouter;
  private readonly changes = new Map<Resource, Change[]>();

  constructor(router: TolerantRouter) {
    this.router = router;
  }

  /** Answers whether it is kept. */
  add(change: Change): boolean {
    this.forget(change);
    // What concerns no key by now may do so when what waits for it is listed, but then that itself brings a message.
    if (this.router.take(change).length === 0) return false;
    const ofKind = this.changes.get(change.resource) ?? [];
    this.changes.set(change.resource, ofKind);
    ofKind.push(change);
    return true;
  }

  /** What may concern somebody, of one kind. */
  of(resource: Resource): readonly Change[] {
    return this.changes.get(resource) ?? [];
  }

  /** Of an object that has changed during the list, what was found first counts no more. */
  private forget({ type, resource, object: { metadata } }: Change): void {
    const ofKind = this.changes.get(resource);
    if (type !== 'deleted' || !ofKind) return;
    this.changes.set(
      resource,
      ofKind.filter(({ object }) => object.metadata.uid !== metadata.uid),
    );
  }
}
