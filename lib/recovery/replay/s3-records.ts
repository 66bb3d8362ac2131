import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Records } from './record.ts';

const prefix = 'replays/';

/**
 * Records beside the segments, in the bucket of the archive: anyone who may replay has access to it, and they expire
 * like the segments.
 */
export function recordsInBucket(bucket: string, client = new S3Client(), reading = client): Records {
  const keyOf = (runId: string) => `${prefix}${runId}.json`;
  return {
    place: `s3://${bucket}/${prefix}`,
    read: async (runId) => {
      try {
        const { Body } = await reading.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(runId) }));
        return await Body?.transformToString();
      } catch (error) {
        if ((error as { name?: unknown }).name === 'NoSuchKey') return undefined;
        throw error;
      }
    },
    write: async (runId, text) => {
      const put = { Bucket: bucket, Key: keyOf(runId), Body: text, ContentType: 'application/json' };
      await client.send(new PutObjectCommand(put));
    },
  };
}
