import type { Context } from 'aws-lambda';
import { storeInBucket } from '../../lib/archive/s3-store.ts';
import { realClock } from '../../lib/clock.ts';
import { Clusters } from '../../lib/cluster/clusters.ts';
import { clustersMeant, onEach } from '../../lib/cluster/each-cluster.ts';
import { readConfig } from '../../lib/config.ts';
import { invocationLog } from '../../lib/log.ts';
import { MemoryBudget } from '../../lib/memory/budget.ts';
import { MemoryPool, poolBytes } from '../../lib/memory/pool.ts';
import { tellRefusals } from '../../lib/queue/refusals.ts';
import { sendTo } from '../../lib/queue/send.ts';
import { keepSent } from '../../lib/recovery/keep.ts';
import { resync } from '../../lib/recovery/resync/resync.ts';
import { routingFor } from '../../lib/routes.ts';
import { readEvent } from './event.ts';
import { type Summary, summarize } from './tell.ts';

/** What is left of the time limit then must suffice for what is on its way, the archive, and saying how far it came. */
const timeToFinishMs = 15_000;

/** So many at a time, as each takes memory for what its API server answers. */
const clustersAtOnce = 16;

/** Tells everything unfinished again, as far as there is time: the next run begins at another place. */
export async function handler(
  event: unknown,
  context: Pick<Context, 'getRemainingTimeInMillis'> & Partial<Pick<Context, 'awsRequestId'>>,
): Promise<{ clusters: Summary[] }> {
  const { cluster: named, ratePerSecond } = readEvent(event);
  const config = readConfig();
  const log = invocationLog(config, context);
  const clusters = new Clusters(config.clusters, config.function, new MemoryBudget(config.megabytes));
  const memory = new MemoryPool(poolBytes(config.megabytes));
  const routing = routingFor(Object.keys(config.queues));
  const store = config.archive === undefined ? undefined : storeInBucket(config.archive);
  const signal = AbortSignal.timeout(Math.max(1_000, context.getRemainingTimeInMillis() - timeToFinishMs));
  const { send, close } = sendTo(config.queues, undefined, { onRefused: tellRefusals(log) });
  const work = async (cluster: string) => {
    const { connection: api } = await clusters.get(cluster);
    const { keep, close: finish } = keepSent({ cluster, store, clock: realClock });
    const given = { cluster, api, routing, send, log, signal, ratePerSecond, memory };
    const report = await resync({ ...given, clock: realClock, onSent: keep }).finally(() => api.close());
    return summarize(report, await finish(), log);
  };
  const names = clustersMeant(named, config.clusters);
  return { clusters: await onEach(names, work, clustersAtOnce).finally(close) };
}
