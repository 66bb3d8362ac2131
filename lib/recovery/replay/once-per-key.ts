import { hash as sha } from 'node:crypto';
import { displayName } from '../../kubernetes/resources.ts';
import { parseMessage, requireOwnGroup } from '../../queue/message.ts';
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
  /** Each message is asked about several times, and read once. */
  private readonly read = new WeakMap<OutgoingMessage, { key: string | undefined }>();

  hasHad(message: OutgoingMessage): boolean {
    const key = this.keyOf(message);
    return key !== undefined && this.keys.has(key);
  }

  /** Its queue has it. */
  taken(message: OutgoingMessage): void {
    const key = this.keyOf(message);
    if (key !== undefined) this.keys.add(key);
  }

  private keyOf(message: OutgoingMessage): string | undefined {
    const read = this.read.get(message) ?? { key: keyIn(message) };
    this.read.set(message, read);
    return read.key;
  }
}

/** By what its step will read, as the group is only what somebody has written beside it. Of one length, however long names are. */
function keyIn({ function: name, groupId, body }: OutgoingMessage): string | undefined {
  try {
    const message = parseMessage(body);
    requireOwnGroup(message, groupId);
    const { apiVersion, kind } = message.resource;
    return sha('sha256', JSON.stringify([name, message.cluster, apiVersion, kind, displayName(message.key)]));
  } catch {
    return undefined;
  }
}
