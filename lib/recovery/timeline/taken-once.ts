import { hash as sha } from 'node:crypto';
import type { ArchivedMessage } from '../../archive/line.ts';

/** For so long a queue takes a message that it has for the same one. */
const sameForMs = 5 * 60_000;
/** Of so many messages that came last it is known when they were sent. */
const maxRemembered = 50_000;

/**
 * Which messages their queues took once, though the archive has them twice. A queue looks at nothing but the ids; but those
 * of a message can be known beforehand, and another one with the same ids, which somebody has put there, must not hide it.
 */
export class TakenOnce {
  private readonly sentAtMs = new Map<string, number>();

  /** Whether it is there already; from now on it is. */
  has({ function: name, groupId, deduplicationId, body, sentAt }: ArchivedMessage): boolean {
    const key = sha('sha256', JSON.stringify([name, groupId, deduplicationId, body]));
    const ms = sentAt.getTime();
    const beforeMs = this.sentAtMs.get(key);
    if (beforeMs !== undefined && Math.abs(ms - beforeMs) < sameForMs) return true;
    this.sentAtMs.delete(key);
    this.sentAtMs.set(key, ms);
    const [oldest = key] = this.sentAtMs.keys();
    if (this.sentAtMs.size > maxRemembered) this.sentAtMs.delete(oldest);
    return false;
  }
}
