import type { OutgoingMessage } from '../../../../lib/queue/message-parts.ts';

/** A message of a group, whose text says which one it is. */
export function message(groupId: string, body = groupId): OutgoingMessage {
  return { function: 'work', groupId, body, deduplicationId: `${groupId} ${body}` };
}
