import { type ElectedForwarder, pauseBetweenTermsMs, type RunOutcome } from '../forwarder/elected-forwarder.ts';
import { endOfRun } from '../forwarder/end-of-run.ts';
import { type Acquiring, LeaseLost } from '../forwarder/lease.ts';
import { LeaseCalls } from '../forwarder/lease-calls.ts';
import { leaseNameFor } from '../forwarder/lease-name.ts';
import { measureEachMinute } from '../forwarder/measurements.ts';
import { Clusters } from '../kubernetes/clusters.ts';
import { inTime, onEach, requestedClusters } from '../kubernetes/each-cluster.ts';
import { realClock } from '../runtime/clock.ts';
import { readConfig } from '../runtime/config.ts';
import { fieldsOf } from '../runtime/invocation.ts';
import { invocationLog } from '../runtime/log.ts';
import { MemoryBudget } from '../runtime/memory/budget.ts';
import { composeForwarding } from './forwarder-wiring.ts';
import { logFailures } from './log-failures.ts';

/** The rest of the time limit must suffice for the last messages, the last segment of the archive, and the lease. */
const timeToFinishMs = 10_000;
/** A cluster that does not answer does not delay the others. */
const maxLookMs = 3_000;
/** The schedule starts a run each minute. One that would wait for longer leaves the waiting to the next. */
const maxWaitMs = 75_000;

/** The cluster to forward, or several; without either, all configured ones. */
interface ForwardEvent {
  cluster?: string;
  clusters?: readonly string[];
}

interface InvocationContext {
  getRemainingTimeInMillis(): number;
  awsRequestId?: string;
}

/** Forwards the changes of its clusters until its time is nearly up; the next run, already waiting, continues from there. */
export async function handler(event: ForwardEvent | undefined, context: InvocationContext): Promise<void> {
  const config = readConfig();
  const meant = meantClusters(fieldsOf(event), config.clusters);
  const log = invocationLog(config, context);
  const clusters = new Clusters(config.clusters, config.function, new MemoryBudget(config.megabytes));
  const now = realClock.now().getTime();
  const own = new Date(now + Math.max(1_000, context.getRemainingTimeInMillis() - timeToFinishMs));
  const soon = new Date(Math.min(own.getTime(), now + maxWaitMs));
  const found = meant.length > 1 ? await leasesOf(meant, clusters, config.identity) : [];
  const endsAt = endOfRun(own, soon, found);
  const signal = AbortSignal.timeout(Math.max(0, endsAt.getTime() - realClock.now().getTime()));
  const acquireOptions = { signal, endsAt, giveUpAfter: soon };
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

function meantClusters(
  { cluster, clusters }: Record<string, unknown>,
  configured: readonly { name: string }[],
): string[] {
  if (clusters === undefined) return requestedClusters(cluster, configured);
  if (!Array.isArray(clusters) || clusters.length === 0 || cluster !== undefined) {
    throw new Error('the event must have either a cluster or a list of clusters: nothing was done');
  }
  return [...new Set(clusters.flatMap((name: unknown) => requestedClusters(name ?? '', configured)))];
}

/** The leases as they are, for as long as that takes no time: whoever acquires them reads them again. */
async function leasesOf(names: readonly string[], clusters: Clusters, identity: string | undefined) {
  const look = (name: string) =>
    inTime(async (signal) => {
      const { connection } = await clusters.get(name);
      const calls = new LeaseCalls(connection, realClock, leaseNameFor(identity ?? ''));
      return calls.read({ milliseconds: maxLookMs, signal });
    }, maxLookMs);
  const looks = await Promise.allSettled(names.map(look));
  return looks.map((each) => (each.status === 'fulfilled' ? each.value : undefined));
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
