import type { Context } from 'aws-lambda';
import { routingFor } from '../capabilities/all-capabilities.ts';
import { Clusters } from '../kubernetes/clusters.ts';
import { onEach, requestedClusters } from '../kubernetes/each-cluster.ts';
import { logRefusals } from '../queue/refusals.ts';
import { sendTo } from '../queue/send.ts';
import { archiveSent } from '../recovery/archive-sent.ts';
import { readEvent } from '../recovery/resync/event.ts';
import { resync } from '../recovery/resync/resync.ts';
import { type Summary, summarize } from '../recovery/resync/summary.ts';
import { realClock } from '../runtime/clock.ts';
import { readConfig } from '../runtime/config.ts';
import { invocationLog } from '../runtime/log.ts';
import { MemoryBudget } from '../runtime/memory/budget.ts';
import { MemoryPool, poolBytes } from '../runtime/memory/pool.ts';
import { archiveOf } from './forwarder-wiring.ts';
import { logFailures } from './log-failures.ts';

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
  const store = archiveOf(config);
  const signal = AbortSignal.timeout(Math.max(1_000, context.getRemainingTimeInMillis() - timeToFinishMs));
  const { send, close } = sendTo(config.queues, undefined, { onRefused: logRefusals(log) });
  const work = async (cluster: string) => {
    const { connection: api } = await clusters.get(cluster);
    const { keep, close: finish } = archiveSent({ cluster, store, clock: realClock });
    const given = { cluster, api, routing, send, log, signal, ratePerSecond, memory };
    const report = await resync({ ...given, clock: realClock, onSent: keep }).finally(() => api.close());
    return summarize(report, await finish(), log);
  };
  const names = requestedClusters(named, config.clusters);
  return { clusters: await logFailures(log, () => onEach(names, work, clustersAtOnce)).finally(close) };
}
