import type { OutgoingMessage } from '../queue/message-parts.ts';

/** One line of a segment: everything needed to send the message to its queue again. */
export interface ArchivedMessage extends OutgoingMessage {
  /** When its queue had accepted it. */
  sentAt: Date;
}

/** The body stays a string: it is sent again byte for byte, whatever it contains, and JSON leaves no line break in a line. */
export function toLine(message: OutgoingMessage, sentAt: Date): string {
  const { function: name, groupId, deduplicationId, body } = message;
  return `${JSON.stringify({ sentAt: sentAt.toISOString(), function: name, groupId, deduplicationId, body })}\n`;
}

/** Throws if the line is invalid. The error never quotes its contents. */
export function parseLine(line: string): ArchivedMessage {
  const fields = parseRecord(line);
  const text = (field: string): string => {
    const value = fields[field];
    if (typeof value !== 'string') throw new Error(`its field ${field} is missing or not a string`);
    return value;
  };
  const sentAt = new Date(text('sentAt'));
  if (Number.isNaN(sentAt.getTime())) throw new Error('its field sentAt is not a time');
  return {
    sentAt,
    function: text('function'),
    groupId: text('groupId'),
    deduplicationId: text('deduplicationId'),
    body: text('body'),
  };
}

function parseRecord(line: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    throw new Error('it is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null) throw new Error('it is not a JSON object');
  return parsed as Record<string, unknown>;
}
