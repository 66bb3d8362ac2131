import { S3Client } from '@aws-sdk/client-s3';
import { archivedClusters, sourceInBucket } from '../../archive/s3-source.ts';
import { realClock } from '../../clock.ts';
import { sendTo } from '../../queue/send.ts';
import type { Means } from './means.ts';
import { recordsInBucket } from './s3-records.ts';

/** A segment is fetched again when it does not come; what is asked once is tried as often as the client does by itself. */
const settings = {
  requestHandler: { connectionTimeout: 2_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
};

/** What a replay works with where it runs for a deployment: its archive, and its queues by function. */
export function meansOf(
  archive: string,
  queues: Record<string, string>,
  rest: Pick<Means, 'signal' | 'onDamage' | 'onTrouble'>,
): Means & { close: () => void } {
  const s3 = new S3Client(settings);
  const { offer, close } = sendTo(queues);
  return {
    ...rest,
    source: sourceInBucket(archive, s3),
    clusters: () => archivedClusters(archive, s3),
    records: recordsInBucket(archive, s3),
    functions: Object.keys(queues),
    offer,
    clock: realClock,
    close: () => {
      s3.destroy();
      close();
    },
  };
}
