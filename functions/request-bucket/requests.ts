import type { SQSEvent } from 'aws-lambda';
import type { DeadLetter } from '../../lib/buckets/requests/dead-letters.ts';
import { type BucketEvent, parseEvent } from '../../lib/buckets/requests/event.ts';
import type { BucketRequests } from '../../lib/buckets/requests/permissions.ts';
import { Refusal, type RefusalKind } from '../../lib/buckets/requests/refusal.ts';
import { type Wish, wishOf } from '../../lib/buckets/requests/wish.ts';
import type { Cluster } from '../../lib/cluster/cluster.ts';
import { UnknownCluster } from '../../lib/cluster/clusters.ts';
import { isClusterError } from '../../lib/cluster/errors.ts';
import { displayName } from '../../lib/cluster/resources.ts';
import type { Measurement } from '../../lib/metrics.ts';
import { type Delivery, handleBatch } from '../../lib/queue/batch.ts';
import { type Outcome, reconcile } from '../../lib/reconcile/reconcile.ts';
import type { Handler, Runtime } from '../../lib/reconcile/serve.ts';
import { requestBucket } from './step.ts';

export interface RequestRuntime extends Runtime {
  bury: (letter: DeadLetter) => Promise<void>;
}

/** Does what events ask for; what it refuses it buries itself, with the reason, and what time may mend comes again. */
export function createRequestHandler(settings: BucketRequests, runtime: RequestRuntime): Handler {
  return (event) =>
    handleBatch(inLanes(event), {
      handle: (delivery) => handleDelivery(settings, runtime, delivery),
      postpone: runtime.postpone,
      retryable: () => true,
      onFailure: ({ messageId, receiveCount }, error) =>
        runtime.log.error('message failed', { messageId, delivery: receiveCount, error: messageOf(error) }),
    });
}

/**
 * All events are in one group of the queue, as a rule knows no more than one. What fails for one Bucket must not use up
 * the deliveries of what came with it for others, so within a batch each has a lane of its own.
 */
function inLanes(event: SQSEvent): SQSEvent {
  const Records = event.Records.map((record) => {
    const MessageGroupId = laneOf(record.body) ?? record.messageId;
    return { ...record, attributes: { ...record.attributes, MessageGroupId } };
  });
  return { Records };
}

function laneOf(body: string): string | undefined {
  const event = attempt(body);
  if (event instanceof Refusal || event.action === 'none') return undefined;
  return event.action === 'adopt' ? event.bucket : `${event.cluster} ${displayName(event)}`;
}

async function handleDelivery(settings: BucketRequests, runtime: RequestRuntime, delivery: Delivery): Promise<void> {
  const event = attempt(delivery.body);
  try {
    if (event instanceof Refusal) throw event;
    const wish = wishOf(event, settings);
    const about = { messageId: delivery.messageId, event: event.sender.id, source: event.sender.source };
    if (wish.action === 'none') runtime.log.info('event passed over', { ...about, reason: wish.reason });
    else await fulfil(wish, runtime);
  } catch (error) {
    const refusal = refusalOf(error, delivery, runtime.maxReceives);
    if (!refusal) throw error;
    await refuse(refusal, event instanceof Refusal ? 'unknown' : event.action, runtime, delivery);
  }
}

async function fulfil(wish: Wish, runtime: RequestRuntime): Promise<void> {
  const { cluster: name, namespace } = wish;
  const about = { cluster: name, key: displayName(wish), event: wish.sender.id };
  try {
    const outcome = await reconcile(
      requestBucket(wish),
      await clusterOf(runtime, name),
      { namespace, name: wish.name },
      {
        now: runtime.now,
        trace: (line) => runtime.log.info('write', { ...about, ...line }),
        measure: (measurement) => runtime.log.measure(ofCluster(measurement, name)),
      },
    );
    runtime.log.info('reconciled', { ...about, outcome: outcome.do, reason: outcome.reason });
    requireDone(outcome);
  } catch (error) {
    if (isClusterError(error, 'unauthorized')) runtime.forgetCredentials(name);
    throw error;
  }
}

async function clusterOf(runtime: RequestRuntime, name: string): Promise<Cluster> {
  try {
    return await runtime.cluster(name);
  } catch (error) {
    throw error instanceof UnknownCluster ? new Refusal('NotAllowed', error.message) : error;
  }
}

function requireDone(outcome: Outcome): void {
  if (outcome.do === 'reject') throw new Refusal(outcome.reason as RefusalKind, outcome.message);
  if (outcome.do !== 'done') throw new Error(`${outcome.reason}: ${outcome.message}`);
}

/** After the last delivery the queue itself would bury the message, and not say why. */
function refusalOf(error: unknown, { receiveCount }: Delivery, maxReceives: number): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (receiveCount < maxReceives) return undefined;
  return new Refusal('GivenUp', `given up after ${receiveCount} attempts: ${messageOf(error)}`);
}

type Action = BucketEvent['action'] | 'unknown';

async function refuse(refusal: Refusal, action: Action, runtime: RequestRuntime, { body, messageId }: Delivery) {
  const { kind, message } = refusal;
  // Should this fail, the message comes again: what is refused is never lost.
  await runtime.bury({ body, reason: message, messageId });
  runtime.log.error('request refused', { messageId, request: action, kind, reason: message });
  // The names in an event are anybody's, and each value of a dimension costs: only what we have counted beforehand.
  const dimensions = { Request: action, Reason: kind };
  runtime.log.measure({ name: 'BucketRequestsRefused', unit: 'Count', value: 1, dimensions });
}

function attempt(body: string): BucketEvent | Refusal {
  try {
    return parseEvent(body);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function ofCluster(measurement: Measurement, cluster: string): Measurement {
  return { ...measurement, dimensions: { Cluster: cluster, ...measurement.dimensions } };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
