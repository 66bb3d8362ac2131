import type { CapabilityName } from '../capabilities/names.ts';
import type { ForwardingState } from '../forwarder/forwarding-state.ts';
import { leaseNameFor } from '../forwarder/lease-name.ts';
import { Clusters, type ReachableCluster } from '../kubernetes/clusters.ts';
import { realClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';
import { MemoryBudget, megabytesOf } from '../runtime/memory/budget.ts';
import { redactedMessageOf } from '../runtime/redaction.ts';
import { RunCluster } from './run-cluster.ts';
import { messagesAtATime } from './run-limits.ts';
import { stepsOf } from './steps.ts';

/** What is not done by then is done by the next process. */
const maxStopMs = 5_000;

export type RunConfig = Pick<
  Config,
  'function' | 'drivers' | 'identity' | 'permissionsBoundary' | 'maxReceives' | 'maxFanOut' | 'megabytes'
>;

export interface RunOptions {
  clusters: readonly ReachableCluster[];
  capabilities: readonly CapabilityName[];
  config: RunConfig;
  /** What the lease says of this process. */
  release?: string;
  leaseSeconds?: number | undefined;
  log: Log;
}

export interface Run {
  states: ReadonlyMap<string, ForwardingState>;
  /** Runs until the signal aborts, and then gives the leases away. */
  until(signal: AbortSignal): Promise<void>;
}

/**
 * An equal part of the process's memory for each cluster, so that none waits for another: a server that sends a large answer
 * and never ends it keeps the turn of its own cluster alone. There are as many shares as there can be messages in progress.
 */
export function memoryFor(megabytes: number, { clusters, steps }: { clusters: number; steps: number }): MemoryBudget {
  return new MemoryBudget(megabytesOf(megabytes, clusters), steps * messagesAtATime);
}

/** Forwarder, queues and steps of all clusters in one process, which keeps nothing: what it loses is found by the next list. */
export function composeRun(options: RunOptions): Run {
  const { clusters: reachable, capabilities, config, release = '', leaseSeconds, log } = options;
  // A name that would make each attempt fail is reported before the first one.
  leaseNameFor(config.identity);
  const steps = stepsOf(capabilities, config);
  const { identity, maxReceives, maxFanOut } = config;
  const shared = { steps, identity, release, capabilities, maxReceives, maxFanOut, leaseSeconds, log };
  const all = reachable.map((each) => {
    const memory = memoryFor(config.megabytes, { clusters: reachable.length, steps: steps.length });
    const clusters = new Clusters([each], config.function, memory);
    const { name } = each;
    return { name, clusters, work: new RunCluster({ ...shared, cluster: name, clusters, memory }) };
  });

  return {
    states: new Map(all.map(({ name, work }) => [name, work.state])),
    until: async (signal) => {
      const forwarding = Promise.allSettled(all.map(({ work }) => work.run(signal)));
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      const isOver = new AbortController();
      const late = realClock.pause(maxStopMs, isOver.signal);
      const working = Promise.all(all.map(({ work }) => work.stop()));
      const ends = await forwarding;
      await Promise.race([working, late]);
      isOver.abort();
      for (const { clusters } of all) clusters.close();
      for (const [index, end] of ends.entries()) {
        if (end.status === 'fulfilled') continue;
        log.error('not stopped cleanly', { cluster: all[index]?.name, error: redactedMessageOf(end.reason) });
      }
    },
  };
}
