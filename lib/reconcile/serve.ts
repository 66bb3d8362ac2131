import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { NoAccess } from '../kubernetes/access/no-access.ts';
import type { Cluster } from '../kubernetes/cluster.ts';
import { UnknownCluster } from '../kubernetes/clusters.ts';
import { isClusterError } from '../kubernetes/errors.ts';
import { displayName } from '../kubernetes/resources.ts';
import type { CallContext } from '../kubernetes/rest-cluster.ts';
import type { Delivery } from '../queue/batch.ts';
import { LaterMessage, MalformedMessage, type Message, parseMessage, requireOwnGroup } from '../queue/message.ts';
import { within } from '../queue/time-limit.ts';
import { RetryRequested } from '../runtime/failure.ts';
import type { Log } from '../runtime/log.ts';
import type { MemoryBudget, Share } from '../runtime/memory/budget.ts';
import { quoted } from '../runtime/quoted.ts';
import { redactedMessageOf } from '../runtime/redaction.ts';
import type { ChangeTrace } from '../runtime/tracing.ts';
import { type Deliveries, type DeliveryLog, handleDeliveries, type Invocation } from './deliveries.ts';
import { reconcile, reconcileFailed } from './reconcile.ts';
import type { Step, World } from './step.ts';

/** The dependencies of a handler. Tests and the simulation provide their own. */
export interface Runtime {
  /** Calls to it say that they are part of the trace, and take their memory from the share. */
  cluster: (name: string, trace: ChangeTrace, reading?: ReadingFor) => Promise<Cluster>;
  /** The memory of the process; without it nothing is counted. */
  memory?: MemoryBudget;
  forgetCredentials: (name: string) => void;
  postpone: (receiptHandle: string, seconds: number) => Promise<void>;
  maxReceives: number;
  log: Log;
  now: () => Date;
}

/** The limits for the calls of one message, and who logs them. */
export type ReadingFor = Pick<CallContext, 'share' | 'signal' | 'debug'>;

export type Handler = (event: SQSEvent, invocation?: Invocation) => Promise<SQSBatchResponse>;

export function createHandler(step: Step<World>, runtime: Runtime): Handler {
  const handle: Deliveries['handle'] = (...delivered) => handleDelivery(step, runtime, ...delivered);
  const deliveries = { ...runtime, name: step.name, handle, retryable };
  return (event, invocation) => handleDeliveries(event, deliveries, invocation);
}

/**
 * A message that this release cannot work on is no reason to hold up its key: a later release that is deployed meanwhile is
 * told of the key again within a minute.
 */
function retryable(error: unknown): boolean {
  const isHopeless =
    error instanceof MalformedMessage || error instanceof LaterMessage || error instanceof UnknownCluster;
  return !isHopeless;
}

async function handleDelivery(
  step: Step<World>,
  runtime: Runtime,
  delivery: Delivery,
  log: DeliveryLog,
  working: AbortSignal,
): Promise<void> {
  const message = parseMessage(delivery.body);
  requireOwnGroup(message, delivery.groupId);
  const { cluster: name, key, resource, isCrowded = false } = message;
  const displayed = displayName(key);
  log.about(name, { kind: resource.kind, key: displayed, object: `${resource.kind} ${displayed}` });
  checkKind(step, message);
  const { debug } = log;
  const surroundings = { now: runtime.now, trace: log.wrote, measure: log.measure, change: log.trace, debug };
  const start = runtime.now().getTime();
  try {
    const { do: outcome, ...said } = await withMemory(runtime, working, async (share) => {
      const cluster = await accessTo(name, runtime, log.trace, { share, signal: working, debug });
      return within(working, reconcile(step, cluster, key, { ...surroundings, isCrowded, working }));
    });
    const milliseconds = runtime.now().getTime() - start;
    log.info('reconciled', { outcome, reason: said.reason, milliseconds });
    if (outcome === 'retry')
      throw new RetryRequested('message' in said ? `${said.reason}: ${said.message}` : said.reason);
  } catch (error) {
    if (isClusterError(error, 'unauthorized')) runtime.forgetCredentials(name);
    if (delivery.receiveCount >= runtime.maxReceives) {
      // The message goes to the dead-letter queue now; reporting that may fail for the same cause.
      const failure = `${redactedMessageOf(error)}; given up after ${delivery.receiveCount} attempts`;
      const telling = async () => {
        // What was read until now may still be there, and reading was ended when the time was over.
        const cluster = await accessTo(name, runtime, log.trace, { share: runtime.memory?.clusterShare(), debug });
        await reconcileFailed(step, cluster, key, failure, surroundings);
      };
      await telling().catch(() => undefined);
    }
    throw error;
  }
}

/** Does work for a message with a share of the memory, once one is free; what was read is released afterwards. */
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

/** Whether a message is for this step at all. */
export function checkKind(step: Pick<Step<World>, 'name' | 'resource'>, { resource, key }: Message): void {
  if (resource.kind === step.resource.kind && resource.apiVersion === step.resource.apiVersion) {
    if (step.resource.namespaced === (key.namespace !== undefined)) return;
    throw new MalformedMessage(
      `${resource.kind} ${key.name} ${key.namespace === undefined ? 'lacks a' : 'has no'} namespace`,
    );
  }
  throw new MalformedMessage(
    `${step.name} reconciles ${step.resource.kind} of ${step.resource.apiVersion}, not ${quoted(resource.kind)} of ${quoted(resource.apiVersion)}`,
  );
}
