import type { Readable } from 'node:stream';
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { clusterOfPrefix } from './names.ts';
import type { SegmentSource } from './read.ts';

/** Segments from a bucket. Apart from what writes them, so that the forwarder carries no more of the SDK than it needs. */
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
      // In Node it is always this one of the kinds of streams that the SDK knows.
      return answer.Body as Readable;
    },
  };
}

/** Of which clusters there is something in the archive. */
export async function* archivedClusters(bucket: string, client = new S3Client()): AsyncGenerator<string> {
  const query = { Bucket: bucket, Prefix: 'cluster=', Delimiter: '/' };
  for await (const page of paginateListObjectsV2({ client }, query)) {
    for (const { Prefix = '' } of page.CommonPrefixes ?? []) {
      const cluster = clusterOfPrefix(Prefix);
      if (cluster !== undefined) yield cluster;
    }
  }
}
