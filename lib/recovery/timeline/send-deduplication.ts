import { hash as sha } from 'node:crypto';
import type { ArchivedMessage } from '../../archive/archived-message.ts';

/** The deduplication interval of FIFO queues. */
const deduplicationMs = 5 * 60_000;
/** The number of latest messages whose times are remembered. */
const maxRemembered = 50_000;

/**
 * Finds messages that the archive has twice, but that their queue accepted once. A queue compares only the ids; but these can
 * be guessed beforehand, and a forged message with the same ids must not hide the genuine one.
 */
export class SendDeduplication {
  private readonly sentAtMs = new Map<string, number>();

  /** True if the message was seen before; remembers it. */
  isRepeated({ function: name, groupId, deduplicationId, body, sentAt }: ArchivedMessage): boolean {
    const key = sha('sha256', JSON.stringify([name, groupId, deduplicationId, body]));
    const ms = sentAt.getTime();
    const beforeMs = this.sentAtMs.get(key);
    if (beforeMs !== undefined && Math.abs(ms - beforeMs) < deduplicationMs) return true;
    this.sentAtMs.delete(key);
    this.sentAtMs.set(key, ms);
    const [oldest = key] = this.sentAtMs.keys();
    if (this.sentAtMs.size > maxRemembered) this.sentAtMs.delete(oldest);
    return false;
  }
}
