import { NoAccess } from '../kubernetes/access/no-access.ts';
import type { Cluster } from '../kubernetes/cluster.ts';
import { UnknownCluster } from '../kubernetes/clusters.ts';
import { isClusterError } from '../kubernetes/errors.ts';
import type { CallContext } from '../kubernetes/rest-cluster.ts';
import { within } from '../queue/time-limit.ts';
import type { Log } from '../runtime/log.ts';
import type { MemoryBudget, Share } from '../runtime/memory/budget.ts';
import type { ChangeTrace } from '../runtime/tracing.ts';
import type { Outcomes } from './failing-keys.ts';

/** The dependencies of a handler. Tests and the simulation provide their own. */
export interface Runtime {
  /** Its calls are part of the trace, and take their memory from the share. */
  cluster: (name: string, trace: ChangeTrace, reading?: ReadingFor) => Promise<Cluster>;
  /** The memory of the process; without it nothing is counted. */
  memory?: MemoryBudget;
  forgetCredentials: (name: string) => void;
  postpone: (receiptHandle: string, seconds: number) => Promise<void>;
  maxReceives: number;
  /** Whoever keeps what fails now, beside the log and the metrics. */
  outcomes?: Outcomes;
  log: Log;
  now: () => Date;
}

/** The limits for the calls of one message, and their debug log. */
export type ReadingFor = Pick<CallContext, 'share' | 'signal' | 'debug'>;

/** Processes a message with a share of the memory, once one is free; what was read is released afterwards. */
export async function withMemory<T>(
  { memory }: Pick<Runtime, 'memory'>,
  working: AbortSignal,
  work: (share: Share | undefined) => Promise<T>,
): Promise<T> {
  const share = await within(working, memory?.share(working) ?? Promise.resolve(undefined));
  try {
    return await work(share);
  } finally {
    share?.close();
  }
}

/** Failing to connect to a cluster is different from failing in it. */
export async function accessTo(
  name: string,
  runtime: Pick<Runtime, 'cluster'>,
  trace: ChangeTrace,
  reading: ReadingFor = {},
): Promise<Cluster> {
  try {
    return await runtime.cluster(name, trace, reading);
  } catch (error) {
    throw error instanceof UnknownCluster || error instanceof NoAccess || isClusterError(error)
      ? error
      : new NoAccess(error);
  }
}
