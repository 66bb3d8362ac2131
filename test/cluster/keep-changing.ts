import type { Claim } from '../../lib/kubernetes/objects.ts';
import type { ClusterClient } from '../support/cluster-client.ts';

const writers = 6;

/** Somebody who may change a claim, and does all the time: whoever reads it and then writes on it comes too late. */
export function keepChanging(client: ClusterClient, { apiVersion, kind, metadata }: Claim) {
  const claim = { apiVersion, kind, metadata: { namespace: metadata.namespace, name: metadata.name } } as Claim;
  let isOver = false;
  let changes = 0;
  const write = async (writer: number) => {
    for (let round = 0; !isOver; round += 1) {
      const changed = client.change(claim, { metadata: { labels: { [`busy-${writer}`]: String(round) } } });
      changes += await changed.then(
        () => 1,
        () => 0,
      );
    }
  };
  const writing = Array.from({ length: writers }, (_, writer) => write(writer));
  /** Answers how often it was changed. */
  const stop = async () => {
    isOver = true;
    await Promise.all(writing);
    return changes;
  };
  return { stop };
}
