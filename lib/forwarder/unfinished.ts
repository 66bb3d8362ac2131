import { displayName } from '../kubernetes/resources.ts';
import type { Cause } from '../queue/message-parts.ts';
import type { Change, Route } from '../reconcile/routing.ts';

/** An object for which something is still to be done, and whom that concerns. */
export interface Unfinished {
  cause: Cause;
  /** The namespace on whose behalf it is sent, if the object names one. */
  owner: string | undefined;
  routes: Route[];
}

interface Sent extends Unfinished {
  /** When it was last sent, by a monotonic clock. */
  atMs: number;
}

/**
 * When somebody was told: just now; before this forwarder began, perhaps; or when they were told last, because what has
 * changed since is nothing to them, such as what their own step has written.
 */
export type LastSent = 'now' | 'unknown' | 'as before';

export interface Due {
  /** Only those not sent since then. */
  beforeMs: number;
  most: number;
  nowMs: number;
  /** An object that cannot be sent now stays in place, and does not delay others. */
  canTell: (thing: Unfinished) => boolean;
}

/**
 * What a list would find to be unfinished, by name, so that it can be told again without a list: some waits are ended by
 * what nobody watches, such as a quota that was raised.
 */
export class UnfinishedObjects {
  /** Found by a list, and possibly not sent by any forwarder yet. */
  private readonly unsent = new Map<string, Unfinished>();
  /** In the order in which they were last sent. */
  private readonly sent = new Map<string, Sent>();

  get size(): number {
    return this.unsent.size + this.sent.size;
  }

  /** Takes note of an object, and of what a list would find that is to be done for it. */
  note({ resource, object }: Change, thing: Unfinished, nowMs: number, last: LastSent): void {
    const name = `${resource.plural} ${displayName(object.metadata)}`;
    const before = this.sent.get(name);
    const isUntold = this.unsent.has(name) && last !== 'now';
    if (last === 'now' || thing.routes.length === 0) {
      this.unsent.delete(name);
      this.sent.delete(name);
    }
    if (thing.routes.length === 0) return;
    if (isUntold || (last === 'unknown' && !before)) this.unsent.set(name, thing);
    else this.sent.set(name, sentAt(thing, last === 'now' ? nowMs : (before?.atMs ?? nowMs)));
  }

  /** What is due to be told, which counts as told now: first what nobody is known to have told. */
  take({ beforeMs, most, nowMs, canTell }: Due): Unfinished[] {
    const due: [string, Unfinished][] = [];
    for (const entry of this.unsent) {
      if (due.length === most) break;
      if (canTell(entry[1])) due.push(entry);
    }
    for (const entry of this.sent) {
      if (due.length === most || entry[1].atMs > beforeMs) break;
      if (canTell(entry[1])) due.push(entry);
    }
    for (const [name, thing] of due) {
      this.unsent.delete(name);
      this.sent.delete(name);
      this.sent.set(name, sentAt(thing, nowMs));
    }
    return due.map(([, thing]) => thing);
  }
}

function sentAt({ cause, owner, routes }: Unfinished, atMs: number): Sent {
  return { cause, owner, routes, atMs };
}
