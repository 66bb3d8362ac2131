import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A message in a call of SQS's JSON protocol. */
export interface Entry {
  Id: string;
  MessageBody: string;
  MessageGroupId: string;
  MessageDeduplicationId: string;
}

/** Each process has an access key of its own. */
export function senderOf({ headers }: IncomingMessage): string {
  return /Credential=([^/]+)\//.exec(headers.authorization ?? '')?.[1] ?? 'somebody without a signature';
}

/** Of these entries some were refused, as a queue does that has trouble of its own. */
export function answerTo(entries: Entry[], refused: Set<string>): object {
  const taken = entries.filter(({ Id }) => !refused.has(Id));
  return {
    Successful: taken.map(({ Id, MessageBody }) => ({
      Id,
      MessageId: randomUUID(),
      MD5OfMessageBody: md5(MessageBody),
    })),
    Failed: [...refused].map((Id) => ({ Id, Code: 'InternalError', SenderFault: false })),
  };
}

export function reply(response: ServerResponse, status: number, content: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(content));
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
