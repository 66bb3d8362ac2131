import type { Readable } from 'node:stream';
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import type { SegmentSource } from './read-archive.ts';
import { clusterOfPrefix } from './segment-names.ts';

/** Segments from a bucket. Separate from the store, so that the forwarder's bundle has no more of the SDK than it needs. */
export function sourceInBucket(bucket: string, client = new S3Client()): SegmentSource {
  return {
    async *list(prefix, after) {
      const query = { Bucket: bucket, Prefix: prefix, StartAfter: after };
      for await (const page of paginateListObjectsV2({ client }, query)) {
        yield (page.Contents ?? []).map(({ Key = '' }) => Key);
      }
    },
    async open(name) {
      const answer = await client.send(new GetObjectCommand({ Bucket: bucket, Key: name }));
      // In Node the SDK always returns this kind of stream.
      return answer.Body as Readable;
    },
  };
}

/** The clusters that the archive has messages of. */
export async function* archivedClusters(bucket: string, client = new S3Client()): AsyncGenerator<string> {
  const query = { Bucket: bucket, Prefix: 'cluster=', Delimiter: '/' };
  for await (const page of paginateListObjectsV2({ client }, query)) {
    for (const { Prefix = '' } of page.CommonPrefixes ?? []) {
      const cluster = clusterOfPrefix(Prefix);
      if (cluster !== undefined) yield cluster;
    }
  }
}
