import { hash as sha } from 'node:crypto';
import { displayName } from '../../kubernetes/resources.ts';
import { type Envelope, messageIn, requireOwnGroup } from '../../queue/envelope.ts';
import type { OutgoingMessage } from '../../queue/message-parts.ts';
import { RecentKeys } from './recent-keys.ts';

/** Of so many keys at least it is known whether they have had their message. */
const keysRemembered = 50_000;

/**
 * Which keys have had their message, where of several about one object the first one is enough. What no step of this release
 * works on is nothing that any key has had.
 */
export class OncePerKey {
  private readonly keys = new RecentKeys(keysRemembered);
  /** Each message is asked about several times. */
  private readonly known = new WeakMap<Envelope, { key: string | undefined }>();

  hasHad(message: OutgoingMessage, envelope: Envelope): boolean {
    const key = this.keyOf(message, envelope);
    return key !== undefined && this.keys.has(key);
  }

  /** Its queue has it. */
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

/** By what its step will read, as the group is only what somebody has written beside it. Of one length, however long names are. */
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
