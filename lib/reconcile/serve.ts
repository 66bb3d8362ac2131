import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { readEnvelope } from '../queue/envelope.ts';
import { handleDeliveries, type Invocation } from './deliveries.ts';
import type { Runtime } from './handler-runtime.ts';
import { reconcileMessage } from './reconcile-message.ts';
import type { Step, World } from './step.ts';

export type Handler = (event: SQSEvent, invocation?: Invocation) => Promise<SQSBatchResponse>;

/**
 * The function of a step. A batch is split into deliveries (`deliveries.ts`, `../queue/received-batch.ts`), each of which is attempted
 * (`delivery.ts`) by reconciling the object of its message (`reconcile-message.ts`, `reconcile.ts`).
 */
export function createHandler(step: Step<World>, runtime: Runtime): Handler {
  const work = reconcileMessage(step, runtime);
  const deliveries = { ...runtime, name: step.name, read: readEnvelope, work };
  return (event, invocation) => handleDeliveries(event, deliveries, invocation);
}
