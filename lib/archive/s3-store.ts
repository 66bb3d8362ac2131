import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { SegmentStore } from './archive.ts';

/** The writer retries forever and logs each failure: the client must not retry silently. */
const settings = {
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 2_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
};

/** Segments as objects of a bucket. */
export function storeInBucket(bucket: string, client = new S3Client(settings)): SegmentStore {
  return {
    put: async (name, bytes) => {
      const put = new PutObjectCommand({ Bucket: bucket, Key: name, Body: bytes, ContentType: 'application/gzip' });
      await client.send(put);
    },
  };
}
