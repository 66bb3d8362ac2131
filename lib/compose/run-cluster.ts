import { type Routing, routingFor } from '../capabilities/all-capabilities.ts';
import { ElectedForwarder, newHolder } from '../forwarder/elected-forwarder.ts';
import type { ForwardingState } from '../forwarder/forwarding-state.ts';
import type { Clusters } from '../kubernetes/clusters.ts';
import { currentApi } from '../kubernetes/current-api.ts';
import { EmbeddedQueues, type LastDelivery } from '../queue/embedded/embedded-queues.ts';
import type { OutgoingMessage } from '../queue/message-parts.ts';
import { FailingKeys } from '../reconcile/failing-keys.ts';
import type { Runtime } from '../reconcile/handler-runtime.ts';
import { createHandler } from '../reconcile/serve.ts';
import type { Step, World } from '../reconcile/step.ts';
import { realClock } from '../runtime/clock.ts';
import { measuredFailures, reasonOf } from '../runtime/failure.ts';
import { failureFields } from '../runtime/failure-fields.ts';
import { type Log, withFields } from '../runtime/log.ts';
import type { MemoryBudget } from '../runtime/memory/budget.ts';
import { redactedMessageOf } from '../runtime/redaction.ts';
import { RunLeaseNotes } from './lease-notes.ts';
import { messagesAtATime, timeLimitMs } from './run-limits.ts';
import { clustersFor } from './serve.ts';
import { forwardUntilStopped } from './terms.ts';

export interface RunClusterOptions {
  cluster: string;
  clusters: Clusters;
  steps: readonly Step<World>[];
  memory: MemoryBudget;
  identity: string;
  release: string;
  capabilities: readonly string[];
  maxReceives: number;
  maxFanOut: number;
  leaseSeconds?: number | undefined;
  log: Log;
}

/** Forwarder, queues and steps of one cluster. It shares nothing with those of others, so none waits for another. */
export class RunCluster {
  readonly state: ForwardingState = {};
  readonly queues: EmbeddedQueues;
  private readonly options: RunClusterOptions;
  private readonly failing = new FailingKeys(() => realClock.now());
  private readonly routing: Routing;

  constructor(options: RunClusterOptions) {
    this.options = options;
    const { steps, maxReceives } = options;
    this.routing = routingFor(steps.map(({ name }) => name));
    this.queues = new EmbeddedQueues({
      handlers: Object.fromEntries(steps.map((step) => [step.name, createHandler(step, this.runtimeOf(step))])),
      maxReceives,
      concurrency: messagesAtATime,
      timeLimitMs,
      clock: realClock,
      onGivenUp: (message, last) => this.givenUp(message, last),
      onUnanswered: (message, error) => this.unanswered(message, error),
    });
  }

  /** Forwards while this process holds the lease, and works on what is forwarded, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { cluster, clusters, identity, maxFanOut, leaseSeconds, log } = this.options;
    const holder = newHolder(identity);
    const { state, failing, queues } = this;
    const { release, capabilities } = this.options;
    const notes = new RunLeaseNotes({
      cluster,
      holder,
      release,
      capabilities,
      state,
      failing,
      queues,
      clock: realClock,
    });
    const { send, depthOf } = this.queues;
    const begin = async () => {
      notes.beginTerm();
      const lead = new ElectedForwarder({
        ...{ cluster, identity, holder, maxFanOut, log, clock: realClock, send, depthOf, ...this.routing },
        api: currentApi(clusters, cluster),
        areQueuesInMemory: true,
        notes,
        ...(leaseSeconds === undefined ? {} : { leaseSeconds }),
      });
      // Whatever has ended a term may have to do with its credentials.
      return { lead, end: () => signal.aborted || clusters.forget(cluster) };
    };
    await forwardUntilStopped(this.state, { cluster, begin, log, signal });
  }

  /** Begins nothing more, and resolves when all that has begun has ended. */
  stop(): Promise<void> {
    return this.queues.stop();
  }

  private runtimeOf({ name }: Step<World>): Runtime {
    const { clusters, memory, maxReceives, log } = this.options;
    return {
      cluster: clustersFor(clusters),
      memory,
      forgetCredentials: (cluster) => clusters.forget(cluster),
      postpone: (...given) => this.queues.postpone(...given),
      maxReceives,
      outcomes: this.failing,
      log: withFields(log, { function: name }),
      now: () => new Date(),
    };
  }

  private unanswered({ function: name, groupId }: OutgoingMessage, error: unknown): void {
    const { cluster, log } = this.options;
    log.error('message not worked on', { cluster, function: name, group: groupId, ...failureFields(error, log) });
    this.failing.failed({ function: name, group: groupId, reason: reasonOf(error), error: redactedMessageOf(error) });
    log.measure(...measuredFailures(1, { Cluster: cluster, Reason: reasonOf(error), Function: name }));
  }

  private givenUp({ function: name, groupId }: OutgoingMessage, { isAnswered }: LastDelivery): void {
    const { cluster, maxReceives, log } = this.options;
    const next = 'it comes again with the next list, or within a minute while its object is unfinished';
    log.error('message given up', { cluster, function: name, group: groupId, deliveries: maxReceives, next });
    // Who has answered has counted it.
    if (isAnswered) return;
    const dimensions = { Cluster: cluster, Function: name };
    log.measure({ name: 'MessagesGivenUp', unit: 'Count', value: 1, dimensions });
  }
}
