import { isClusterError } from '../kubernetes/errors.ts';
import { displayName } from '../kubernetes/resources.ts';
import { type Envelope, type Message, messageIn, requireOwnGroup } from '../queue/envelope.ts';
import type { Delivery } from '../queue/received-batch.ts';
import { within } from '../queue/time-limit.ts';
import { MalformedMessage } from '../queue/unusable-message.ts';
import { RetryRequested } from '../runtime/failure.ts';
import { quoted } from '../runtime/quoted.ts';
import { redactedMessageOf } from '../runtime/redaction.ts';
import type { Work } from './delivery.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { accessTo, type Runtime, withMemory } from './handler-runtime.ts';
import { reconcile, reconcileFailed } from './reconcile.ts';
import type { Step, World } from './step.ts';

/** Reconciles the object of a message. If its last delivery fails, the object reports it. */
export function reconcileMessage(step: Step<World>, runtime: Runtime): Work<Envelope> {
  return (...delivered) => reconcileDelivery(step, runtime, ...delivered);
}

async function reconcileDelivery(
  step: Step<World>,
  runtime: Runtime,
  delivery: Delivery<Envelope>,
  log: DeliveryLog,
  working: AbortSignal,
): Promise<void> {
  const message = messageIn(delivery.content);
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
      const report = async () => {
        // Not with the message's signal, which may have ended reads, nor with its share, which may still be in use.
        const cluster = await accessTo(name, runtime, log.trace, { share: runtime.memory?.clusterShare(), debug });
        await reconcileFailed(step, cluster, key, failure, surroundings);
      };
      await report().catch(() => undefined);
    }
    throw error;
  }
}

/** Throws if a message is not for this step. */
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
