import { type ElectedForwarder, pauseBetweenTermsMs, type RunOutcome } from '../forwarder/elected-forwarder.ts';
import { type Acquiring, LeaseLost } from '../forwarder/lease.ts';
import { measureEachMinute } from '../forwarder/measurements.ts';
import { Clusters } from '../kubernetes/clusters.ts';
import { onEach, requestedClusters } from '../kubernetes/each-cluster.ts';
import { realClock } from '../runtime/clock.ts';
import { readConfig } from '../runtime/config.ts';
import { fieldsOf } from '../runtime/invocation.ts';
import { invocationLog } from '../runtime/log.ts';
import { MemoryBudget } from '../runtime/memory/budget.ts';
import { composeForwarding } from './forwarder-wiring.ts';
import { logFailures } from './log-failures.ts';

/** The rest of the time limit must suffice for the last messages, the last segment of the archive, and the lease. */
const timeToFinishMs = 10_000;
/** The schedule starts a run each minute. One that would wait for longer leaves the waiting to the next. */
const maxWaitMs = 75_000;

/** The cluster to forward; without it, all configured ones. */
interface ForwardEvent {
  cluster?: string;
}

interface InvocationContext {
  getRemainingTimeInMillis(): number;
  awsRequestId?: string;
}

/** Forwards the changes of its cluster until its time is nearly up; the next run, already waiting, continues from there. */
export async function handler(event: ForwardEvent | undefined, context: InvocationContext): Promise<void> {
  const config = readConfig();
  const meant = requestedClusters(fieldsOf(event).cluster, config.clusters);
  const log = invocationLog(config, context);
  const clusters = new Clusters(config.clusters, config.function, new MemoryBudget(config.megabytes));
  const runMs = Math.max(1_000, context.getRemainingTimeInMillis() - timeToFinishMs);
  const now = realClock.now().getTime();
  const acquireOptions = {
    signal: AbortSignal.timeout(runMs),
    endsAt: new Date(now + runMs),
    giveUpAfter: new Date(now + Math.min(runMs, maxWaitMs)),
  };
  const forwarding = composeForwarding(config, log);
  const work = async (cluster: string) => {
    const { connection } = await clusters.get(cluster);
    const lead = forwarding.forwarderFor(cluster, connection);
    const over = new AbortController();
    const measuring = measureEachMinute(lead, { cluster, log, clock: realClock, signal: over.signal });
    try {
      const outcome = await forwardAgainAfterLoss(lead, acquireOptions, (error) =>
        log.error('lease lost', { cluster, error: String(error) }),
      );
      log.info('run over', { cluster, outcome });
    } finally {
      over.abort();
      await measuring;
      connection.close();
    }
  };
  await logFailures(log, () => onEach(meant, work)).finally(() => forwarding.close());
}

/** A lost lease may be acquired again while there is time, such as after an outage of the API server. */
async function forwardAgainAfterLoss(
  lead: ElectedForwarder,
  acquiring: Acquiring,
  onLost: (error: LeaseLost) => void,
): Promise<RunOutcome> {
  for (;;) {
    try {
      return await lead.run(acquiring);
    } catch (error) {
      if (!(error instanceof LeaseLost) || acquiring.signal.aborted) throw error;
      onLost(error);
      await realClock.pause(pauseBetweenTermsMs, acquiring.signal);
    }
  }
}
