import type { Resource } from '../kubernetes/resource.ts';
import { isLegalName } from '../kubernetes/resources.ts';
import type { Log } from '../runtime/log.ts';
import { stackOf } from '../runtime/stack.ts';
import type { Change, Reconsidered, Route, Router } from './routing.ts';

/** Called for each object that could not be processed. */
export type OnSkipped = (change: Change, error: unknown) => void;

/** A router that skips objects that it cannot process, so that they do not stop all others. */
export class TolerantRouter {
  private readonly router: Router;
  private readonly onSkipped: OnSkipped;

  constructor(router: Router, onSkipped: OnSkipped) {
    this.router = router;
    this.onSkipped = onSkipped;
  }

  /** Notes a change, and returns the keys that it concerns. */
  take(change: Change): Route[] {
    try {
      this.router.note(change);
    } catch (error) {
      this.onSkipped(change, error);
      return [];
    }
    return this.routesOf(change);
  }

  routesOf(change: Change): Route[] {
    try {
      // A name that a user wrote may be invalid: no object can have it.
      const routes = this.router.routesOf(change);
      return routes.every(isLegal) ? routes : routes.filter(isLegal);
    } catch (error) {
      this.onSkipped(change, error);
      return [];
    }
  }

  reconsider(change: Change): Reconsidered[] {
    try {
      return this.router.reconsider?.(change) ?? [];
    } catch (error) {
      this.onSkipped(change, error);
      return [];
    }
  }

  leaveOut(resource: Resource): void {
    this.router.leaveOut?.(resource);
  }
}

function isLegal({ key: { namespace, name } }: Route): boolean {
  return isLegalName(name) && (namespace === undefined || isLegalName(namespace));
}

const maxStacks = 10;

/** One bug may skip thousands of objects: its stack is logged with the first of them. */
export function logSkipped(log: Pick<Log, 'error'>, cluster: string): OnSkipped {
  const logged = new Set<string>();
  return ({ resource, object: { metadata } }, thrown) => {
    const { namespace, name } = metadata;
    const error = String(thrown);
    const isNew = !logged.has(error) && logged.size < maxStacks;
    if (isNew) logged.add(error);
    const stack = isNew ? stackOf(thrown) : undefined;
    log.error('object skipped', { cluster, kind: resource.kind, namespace, name, error, stack });
  };
}
