import { hash as sha } from 'node:crypto';
import { displayName } from '../../kubernetes/resources.ts';
import { type Envelope, messageIn, requireOwnGroup } from '../../queue/envelope.ts';
import type { OutgoingMessage } from '../../queue/message-parts.ts';
import { RecentKeys } from './recent-keys.ts';

/** The minimum number of keys that are remembered. */
const keysRemembered = 50_000;

/**
 * The keys that have had their message, if the first of several about one object is sufficient. Messages that no step
 * of this release processes belong to no key.
 */
export class OncePerKey {
  private readonly keys = new RecentKeys(keysRemembered);
  /** Each message is checked several times. */
  private readonly known = new WeakMap<Envelope, { key: string | undefined }>();

  hasHad(message: OutgoingMessage, envelope: Envelope): boolean {
    const key = this.keyOf(message, envelope);
    return key !== undefined && this.keys.has(key);
  }

  /** Its queue has accepted it. */
  taken(message: OutgoingMessage, envelope: Envelope): void {
    const key = this.keyOf(message, envelope);
    if (key !== undefined) this.keys.add(key);
  }

  private keyOf(message: OutgoingMessage, envelope: Envelope): string | undefined {
    const known = this.known.get(envelope) ?? { key: keyOf(message, envelope) };
    this.known.set(envelope, known);
    return known.key;
  }
}

/**
 * The key that its step will read, as the group is only an unverified attribute. Of fixed length, however long names
 * are.
 */
function keyOf({ function: name, groupId }: OutgoingMessage, envelope: Envelope): string | undefined {
  try {
    const message = messageIn(envelope);
    requireOwnGroup(message, groupId);
    const { apiVersion, kind } = message.resource;
    return sha('sha256', JSON.stringify([name, message.cluster, apiVersion, kind, displayName(message.key)]));
  } catch {
    return undefined;
  }
}
