import type { Cluster } from '../../../../kubernetes/cluster.ts';
import { UnknownCluster } from '../../../../kubernetes/clusters.ts';
import { isClusterError } from '../../../../kubernetes/errors.ts';
import { displayName, resources } from '../../../../kubernetes/resources.ts';
import type { Delivery } from '../../../../queue/received-batch.ts';
import { within } from '../../../../queue/time-limit.ts';
import { handleDeliveries } from '../../../../reconcile/deliveries.ts';
import type { Work } from '../../../../reconcile/delivery.ts';
import type { DeliveryLog } from '../../../../reconcile/delivery-log.ts';
import { accessTo, type ReadingFor, type Runtime, withMemory } from '../../../../reconcile/handler-runtime.ts';
import { reconcile } from '../../../../reconcile/reconcile.ts';
import type { Handler } from '../../../../reconcile/serve.ts';
import type { Outcome } from '../../../../reconcile/step.ts';
import { RetryRequested } from '../../../../runtime/failure.ts';
import { redactedMessageOf } from '../../../../runtime/redaction.ts';
import { type BucketEvent, type EventEnvelope, readEvent } from '../../requests/event.ts';
import type { BucketRequests } from '../../requests/permissions.ts';
import type { RefusalKind } from '../../requests/reasons.ts';
import { Refusal } from '../../requests/refusal.ts';
import type { RefusedRequest } from '../../requests/refused-requests.ts';
import { type RequestedChange, requestedChangeOf } from '../../requests/requested-change.ts';
import { requestBucket } from './step.ts';

export interface RequestRuntime extends Runtime {
  bury: (letter: RefusedRequest) => Promise<void>;
}

/**
 * Fulfils the requests of events; sends refused ones to the dead-letter queue, with the reason, and retries after
 * failures that may pass.
 */
export function createRequestHandler(settings: BucketRequests, runtime: RequestRuntime): Handler {
  const work: Work<EventEnvelope> = (...delivered) => handleDelivery(settings, runtime, ...delivered);
  const deliveries = { ...runtime, name: 'request-bucket', read: readEvent, work, groupOf: laneOf };
  return (event, invocation) => handleDeliveries(event, deliveries, invocation);
}

/**
 * All events are in one message group, as a rule can only name one. A failure for one Bucket must not use up the
 * deliveries of other Buckets' messages, so within a batch each Bucket has a lane of its own.
 */
function laneOf({ content: { event }, messageId }: Delivery<EventEnvelope>): string {
  if (event instanceof Refusal || event.action === 'none') return messageId;
  return event.action === 'adopt' ? event.bucket : `${event.cluster} ${displayName(event)}`;
}

async function handleDelivery(
  settings: BucketRequests,
  runtime: RequestRuntime,
  delivery: Delivery<EventEnvelope>,
  log: DeliveryLog,
  working: AbortSignal,
): Promise<void> {
  const { event } = delivery.content;
  try {
    if (event instanceof Refusal) throw event;
    const requested = requestedChangeOf(event, settings);
    if (requested.action === 'none')
      log.info('event ignored', { source: event.sender.source, reason: requested.reason });
    else await within(working, fulfil(requested, runtime, log, working));
  } catch (error) {
    const refusal = refusalOf(error, delivery, runtime.maxReceives);
    if (!refusal) throw error;
    await refuse(refusal, event instanceof Refusal ? 'unknown' : event.action, runtime, delivery, log);
  }
}

async function fulfil(
  requested: RequestedChange,
  runtime: RequestRuntime,
  log: DeliveryLog,
  working: AbortSignal,
): Promise<void> {
  const { cluster: name, namespace } = requested;
  const { kind } = resources.bucket;
  const displayed = displayName(requested);
  const surroundings = { now: runtime.now, trace: log.wrote, measure: log.measure, working };
  try {
    const outcome = await withMemory(runtime, working, async (share) => {
      const cluster = await clusterOf(runtime, name, log, { share, signal: working, debug: log.debug });
      log.about(name, { kind, key: displayed, object: `${kind} ${displayed}` });
      const { debug } = log;
      return reconcile(
        requestBucket(requested),
        cluster,
        { namespace, name: requested.name },
        { ...surroundings, debug },
      );
    });
    log.info('reconciled', { outcome: outcome.do, reason: outcome.reason });
    requireDone(outcome);
  } catch (error) {
    if (isClusterError(error, 'unauthorized')) runtime.forgetCredentials(name);
    throw error;
  }
}

async function clusterOf(
  runtime: RequestRuntime,
  name: string,
  log: DeliveryLog,
  reading: ReadingFor,
): Promise<Cluster> {
  try {
    return await accessTo(name, runtime, log.trace, reading);
  } catch (error) {
    throw error instanceof UnknownCluster ? new Refusal('NotAllowed', error.message) : error;
  }
}

function requireDone(outcome: Outcome): void {
  if (outcome.do === 'reject') throw new Refusal(outcome.reason as RefusalKind, outcome.message);
  if (outcome.do !== 'done') throw new RetryRequested(`${outcome.reason}: ${outcome.message}`);
}

/** After the last delivery SQS itself would move the message to the dead-letter queue, without a reason. */
function refusalOf(
  error: unknown,
  { receiveCount }: Delivery<EventEnvelope>,
  maxReceives: number,
): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (receiveCount < maxReceives) return undefined;
  return new Refusal('GivenUp', `given up after ${receiveCount} attempts: ${redactedMessageOf(error)}`);
}

type Action = BucketEvent['action'] | 'unknown';

async function refuse(
  { kind, message }: Refusal,
  action: Action,
  runtime: RequestRuntime,
  delivery: Delivery<EventEnvelope>,
  log: DeliveryLog,
): Promise<void> {
  // If this fails, the message is delivered again: a refused request is never lost.
  const { body, messageId } = delivery;
  await runtime.bury({ body, reason: message, messageId, group: laneOf(delivery) });
  log.error('request refused', { request: action, refusal: kind, reason: message });
  // Anyone chooses the names in an event, and each value of a dimension costs: so only values from our own lists.
  const dimensions = { Request: action, Reason: kind };
  runtime.log.measure({ name: 'BucketRequestsRefused', unit: 'Count', value: 1, dimensions });
}
