import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';

export interface Line {
  function: string;
  groupId: string;
  deduplicationId: string;
  body: string;
}

/** Every line of the archive, read with only the SDK and Node. */
export async function* linesOf(bucket: string, from: Date, to: Date): AsyncGenerator<Line> {
  const client = new S3Client();
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: 'cluster=' })) {
    for (const { Key } of Contents) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }));
      const bytes = Body as Readable;
      try {
        for await (const text of createInterface({ input: bytes.pipe(createGunzip()) })) {
          const { sentAt, ...line } = JSON.parse(text) as Line & { sentAt: string };
          const time = new Date(sentAt);
          if (time >= to) return;
          if (time >= from) yield line;
        }
      } finally {
        // Otherwise its connection would stay open, and the process would not end.
        bytes.destroy();
      }
    }
  }
}

/** The same message with another id, so that a queue does not take it for a duplicate. */
export function again({ groupId, deduplicationId, body }: Line, runId: string) {
  const MessageDeduplicationId = `${deduplicationId.slice(0, 100)}-${runId}`;
  return { MessageBody: body, MessageGroupId: groupId, MessageDeduplicationId };
}
