import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { namesIn } from '../capabilities/buckets/steps/sweep-buckets/event.ts';
import { sweep } from '../capabilities/buckets/steps/sweep-buckets/sweep.ts';
import { logReport, writeReports } from '../capabilities/buckets/steps/sweep-buckets/write-reports.ts';
import { answerOf } from '../capabilities/buckets/sweep/report.ts';
import { Clusters } from '../kubernetes/clusters.ts';
import type { ReadingFor } from '../reconcile/handler-runtime.ts';
import { readConfig } from '../runtime/config.ts';
import { invocationLog, withFields } from '../runtime/log.ts';
import { MemoryBudget } from '../runtime/memory/budget.ts';
import { MemoryPool, poolBytes } from '../runtime/memory/pool.ts';
import { traceOf } from '../runtime/tracing.ts';
import { logFailures } from './log-failures.ts';

/** The rest of the time limit must suffice for reporting the findings. */
const timeToReportMs = 30_000;

type Invocation = Pick<Context, 'getRemainingTimeInMillis'> & Partial<Pick<Context, 'awsRequestId'>>;

/** Compares the stores with the clusters; the schedule's event removes nothing. */
export async function handler(event: unknown, context: Invocation): Promise<object> {
  const named = namesIn(event);
  const config = readConfig();
  // Credentials are fetched anew each time: a day later they may have changed.
  const clusters = new Clusters(config.clusters, config.function, new MemoryBudget(config.megabytes));
  const [{ createDrivers }, { connectTo }] = await Promise.all([
    import('../capabilities/buckets/drivers/drivers.ts'),
    import('../capabilities/buckets/drivers/s3/connect.ts'),
  ]);
  const connect = connectTo();
  const trace = traceOf(undefined, context.awsRequestId ?? randomUUID());
  const access = {
    clusters: config.clusters.map(({ name }) => name),
    cluster: async (name: string, reading?: ReadingFor) =>
      (await clusters.get(name)).cluster.within({ trace, ...reading }),
    memory: new MemoryPool(poolBytes(config.megabytes)),
    storeBytes: poolBytes(config.megabytes) / 4,
    drivers: createDrivers(config.drivers, { identity: config.identity, connect }),
    identity: config.identity,
    deadline: Date.now() + context.getRemainingTimeInMillis() - timeToReportMs,
    now: () => new Date(),
  };
  const log = withFields(invocationLog(config, context), { trace: trace.id });
  try {
    return await logFailures(log, async () => {
      const report = await sweep(access, named);
      report.problems.push(...(await writeReports(access, report)));
      logReport(log, report, [...access.drivers.keys()], access.clusters);
      return answerOf(report);
    });
  } finally {
    // The process may be reused, and open connections would accumulate with each sweep.
    clusters.close();
    connect.close();
  }
}
