import { type OutgoingMessage, parseMessage } from '../../queue/message.ts';
import { RecentKeys } from './recent-keys.ts';

/** Of so many keys at least it is known whether they have had their message. */
const keysRemembered = 50_000;

/** Which keys have had their message, where of several about one object the first one is enough. */
export class OncePerKey {
  private readonly keys = new RecentKeys(keysRemembered);

  hasHad(message: OutgoingMessage): boolean {
    return this.keys.has(keyOf(message));
  }

  /** Its queue has it. What no step of this release works on is nothing that its key has had. */
  taken(message: OutgoingMessage): void {
    if (isUnderstood(message.body)) this.keys.add(keyOf(message));
  }
}

function keyOf({ function: name, groupId }: OutgoingMessage): string {
  return `${name} ${groupId}`;
}

function isUnderstood(body: string): boolean {
  try {
    parseMessage(body);
    return true;
  } catch {
    return false;
  }
}
