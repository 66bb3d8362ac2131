import { readingClient, writingClient } from '../../archive/s3-client.ts';
import { archivedClusters, sourceInBucket } from '../../archive/s3-source.ts';
import { sendTo } from '../../queue/send.ts';
import { realClock } from '../../runtime/clock.ts';
import type { Means } from './means.ts';
import { recordsInBucket } from './s3-records.ts';

/** The means of a replay in a deployment: its archive, and its queues by function. */
export function meansOf(
  archive: string,
  queues: Record<string, string>,
  rest: Pick<Means, 'served' | 'signal' | 'onUnserved' | 'onDamage' | 'onTrouble'>,
): Means & { close: () => void } {
  const reading = readingClient(rest.signal);
  const writing = writingClient();
  const { offer, close } = sendTo(queues);
  return {
    ...rest,
    source: sourceInBucket(archive, reading),
    clusters: () => archivedClusters(archive, reading),
    records: recordsInBucket(archive, writing, reading),
    functions: Object.keys(queues),
    offer,
    clock: realClock,
    close: () => {
      reading.destroy();
      writing.destroy();
      close();
    },
  };
}
