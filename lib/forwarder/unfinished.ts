import { displayName } from '../kubernetes/resources.ts';
import type { Cause } from '../queue/message-parts.ts';
import type { Change, Route } from '../reconcile/routing.ts';

/** An object for which something is still to be done, and whom that concerns. */
export interface Unfinished {
  cause: Cause;
  /** The namespace on whose behalf it is told, if the object says it. */
  owner: string | undefined;
  routes: Route[];
}

interface Told extends Unfinished {
  /** When it was told last, by a clock that only goes forward. */
  atMs: number;
}

/**
 * When somebody was told: just now; before this forwarder began, perhaps; or when they were told last, because what has
 * changed since is nothing to them, such as what their own step has written.
 */
export type LastTold = 'now' | 'unknown' | 'as before';

export interface Due {
  /** Only what was not told since then. */
  beforeMs: number;
  most: number;
  nowMs: number;
  /** Something that cannot be told now stays where it is, and keeps nothing else waiting. */
  canTell: (thing: Unfinished) => boolean;
}

/**
 * What a list would find to be unfinished, by name, so that it can be told again without a list: some waits are ended by
 * what nobody watches, such as a quota that was raised.
 */
export class UnfinishedObjects {
  /** What was found by a list, and may have been told by another forwarder or by nobody. */
  private readonly untold = new Map<string, Unfinished>();
  /** In the order in which they were told last. */
  private readonly told = new Map<string, Told>();

  get size(): number {
    return this.untold.size + this.told.size;
  }

  /** Takes note of an object, and of what a list would find that is to be done for it. */
  note({ resource, object }: Change, thing: Unfinished, nowMs: number, last: LastTold): void {
    const name = `${resource.plural} ${displayName(object.metadata)}`;
    const before = this.told.get(name);
    const isUntold = this.untold.has(name) && last !== 'now';
    if (last === 'now' || thing.routes.length === 0) {
      this.untold.delete(name);
      this.told.delete(name);
    }
    if (thing.routes.length === 0) return;
    if (isUntold || (last === 'unknown' && !before)) this.untold.set(name, thing);
    else this.told.set(name, toldAt(thing, last === 'now' ? nowMs : (before?.atMs ?? nowMs)));
  }

  /** What is due to be told, which counts as told now: first what nobody is known to have told. */
  take({ beforeMs, most, nowMs, canTell }: Due): Unfinished[] {
    const due: [string, Unfinished][] = [];
    for (const entry of this.untold) {
      if (due.length === most) break;
      if (canTell(entry[1])) due.push(entry);
    }
    for (const entry of this.told) {
      if (due.length === most || entry[1].atMs > beforeMs) break;
      if (canTell(entry[1])) due.push(entry);
    }
    for (const [name, thing] of due) {
      this.untold.delete(name);
      this.told.delete(name);
      this.told.set(name, toldAt(thing, nowMs));
    }
    return due.map(([, thing]) => thing);
  }
}

function toldAt({ cause, owner, routes }: Unfinished, atMs: number): Told {
  return { cause, owner, routes, atMs };
}
