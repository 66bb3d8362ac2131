import { displayName, type ObjectName } from '../kubernetes/resources.ts';
import type { Cause } from '../queue/message-parts.ts';
import type { Change, Route } from '../reconcile/routing.ts';

/** An object with unfinished work, and the routes of its messages. */
export interface Unfinished {
  cause: Cause;
  /** The namespace on whose behalf it is sent, if the object names one. */
  owner: string | undefined;
  routes: Route[];
}

interface Sent extends Unfinished {
  /** The time at which it was last sent, by a monotonic clock. */
  atMs: number;
}

/**
 * The time at which the object's messages were last sent: just now; unknown, perhaps by an earlier forwarder; or as
 * before, because the change since does not concern them, such as a write of their own step.
 */
export type LastSent = 'now' | 'unknown' | 'as before';

export interface Due {
  /** Only those not sent since then. */
  beforeMs: number;
  max: number;
  nowMs: number;
  /** An object that cannot be sent now stays in place, and does not delay others. */
  canSend: (unfinished: Unfinished) => boolean;
}

/**
 * The objects that a list would find unfinished, by name, so that they can be sent again without a list: some waits are
 * ended by a change that is not watched, such as a raised quota.
 */
export class UnfinishedObjects {
  /** Found by a list, and possibly not sent by any forwarder yet. */
  private readonly unsent = new Map<string, Unfinished>();
  /** Finished as far as a list shows, and to be sent once after it. They do not count. */
  private readonly checks: Unfinished[] = [];
  /** In the order in which they were last sent. */
  private readonly sent = new Map<string, Sent>();

  get size(): number {
    return this.unsent.size + this.sent.size;
  }

  /** Notes an object, and the work that a list would find for it. */
  note({ resource, object }: Change, unfinished: Unfinished, nowMs: number, last: LastSent): void {
    const name = nameOf({ resource, ...object.metadata });
    const before = this.sent.get(name);
    const isUnsent = this.unsent.has(name) && last !== 'now';
    if (last === 'now' || unfinished.routes.length === 0) {
      this.unsent.delete(name);
      this.sent.delete(name);
    }
    if (unfinished.routes.length === 0) return;
    if (isUnsent || (last === 'unknown' && !before)) this.unsent.set(name, unfinished);
    else this.sent.set(name, sentAt(unfinished, last === 'now' ? nowMs : (before?.atMs ?? nowMs)));
  }

  /** What is unfinished of an object. */
  find(object: ObjectName): Unfinished | undefined {
    const name = nameOf(object);
    return this.unsent.get(name) ?? this.sent.get(name);
  }

  /** Another object's change may have finished its work, or begun some. When it was sent stays as it was. */
  renew(object: ObjectName, unfinished: Unfinished, nowMs: number): void {
    const name = nameOf(object);
    if (unfinished.routes.length === 0) {
      this.unsent.delete(name);
      this.sent.delete(name);
      return;
    }
    if (this.unsent.has(name)) this.unsent.set(name, unfinished);
    else this.sent.set(name, sentAt(unfinished, this.sent.get(name)?.atMs ?? nowMs));
  }

  noteCheck(check: Unfinished): void {
    if (check.routes.length > 0) this.checks.push(check);
  }

  /** Returns the objects due to be sent, which count as sent now: first those not known to have been sent. */
  take({ beforeMs, max, nowMs, canSend }: Due): Unfinished[] {
    const due: [string, Unfinished][] = [];
    for (const entry of this.unsent) {
      if (due.length === max) break;
      if (canSend(entry[1])) due.push(entry);
    }
    for (const entry of this.sent) {
      if (due.length === max || entry[1].atMs > beforeMs) break;
      if (canSend(entry[1])) due.push(entry);
    }
    for (const [name, unfinished] of due) {
      this.unsent.delete(name);
      this.sent.delete(name);
      this.sent.set(name, sentAt(unfinished, nowMs));
    }
    return [...due.map(([, unfinished]) => unfinished), ...this.takeChecks(max - due.length, canSend)];
  }

  private takeChecks(max: number, canSend: Due['canSend']): Unfinished[] {
    const taken = this.checks.splice(0, max);
    const delayed = taken.filter((check) => !canSend(check));
    this.checks.push(...delayed);
    return taken.filter((check) => !delayed.includes(check));
  }
}

function nameOf({ resource, namespace, name }: Pick<ObjectName, 'resource' | 'namespace' | 'name'>): string {
  return `${resource.plural} ${displayName(namespace === undefined ? { name } : { namespace, name })}`;
}

function sentAt({ cause, owner, routes }: Unfinished, atMs: number): Sent {
  return { cause, owner, routes, atMs };
}
