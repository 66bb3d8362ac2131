import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Cluster } from '../cluster/cluster.ts';
import { Clusters, UnknownCluster } from '../cluster/clusters.ts';
import { isClusterError } from '../cluster/errors.ts';
import { displayName } from '../cluster/resources.ts';
import { type Config, readConfig } from '../config.ts';
import { consoleLog, type Log } from '../log.ts';
import type { Measurement } from '../metrics.ts';
import { type Delivery, handleBatch } from '../queue/batch.ts';
import { MalformedMessage, type Message, parseMessage } from '../queue/message.ts';
import { postponeOn } from '../queue/postpone.ts';
import { reconcile, reconcileFailed } from './reconcile.ts';
import type { Step, World } from './step.ts';

/** What a handler needs of the world around it. Tests and the simulation give their own. */
export interface Runtime {
  cluster: (name: string) => Promise<Cluster>;
  forgetCredentials: (name: string) => void;
  postpone: (receiptHandle: string, seconds: number) => Promise<void>;
  maxReceives: number;
  log: Log;
  now: () => Date;
}

export type Handler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/** A step as it is, or one that is made from what the environment says. */
export type StepSource<W extends World> = Step<W> | ((config: Config) => Step<W>);

/** The Lambda handler of a step, with everything around it made from the environment at the first call. */
export function serve<W extends World>(source: StepSource<W>): Handler {
  let handler: Handler | undefined;
  const create = (config: Config) =>
    createHandler(typeof source === 'function' ? source(config) : source, runtimeFrom(config));
  return (event) => {
    handler ??= create(readConfig());
    return handler(event);
  };
}

/** The object says already what failed: the message is to come again, and in the end to be kept as a dead letter. */
class TriedInVain extends Error {}

export function createHandler<W extends World>(step: Step<W>, runtime: Runtime): Handler {
  return (event) =>
    handleBatch(event, {
      handle: (delivery) => handleDelivery(step, runtime, delivery),
      postpone: runtime.postpone,
      retryable: (error) => !(error instanceof MalformedMessage || error instanceof UnknownCluster),
      onFailure: (delivery, error) =>
        runtime.log.error('message failed', {
          messageId: delivery.messageId,
          delivery: delivery.receiveCount,
          error: messageOf(error),
        }),
    });
}

async function handleDelivery<W extends World>(step: Step<W>, runtime: Runtime, delivery: Delivery): Promise<void> {
  const message = parseMessage(delivery.body);
  checkKind(step, message);
  const { cluster: name, key } = message;
  const cluster = await runtime.cluster(name);
  const about = { cluster: name, key: displayName(key) };
  const surroundings = {
    now: runtime.now,
    trace: (line: Record<string, string | number>) => runtime.log.info('write', { ...about, ...line }),
    measure: (measurement: Measurement) => runtime.log.measure(ofCluster(measurement, name)),
  };
  try {
    const outcome = await reconcile(step, cluster, key, surroundings);
    runtime.log.info('reconciled', { ...about, outcome: outcome.do, reason: outcome.reason });
    if (outcome.do === 'retry') throw new TriedInVain(`${outcome.reason}: ${outcome.message}`);
  } catch (error) {
    if (isClusterError(error, 'unauthorized')) runtime.forgetCredentials(name);
    if (delivery.receiveCount >= runtime.maxReceives) {
      // The message goes to the dead-letter queue now; telling the user may fail for the very same cause.
      const failure = `${messageOf(error)}; given up after ${delivery.receiveCount} attempts`;
      await reconcileFailed(step, cluster, key, failure, surroundings).catch(() => undefined);
    }
    throw error;
  }
}

function checkKind<W extends World>(step: Step<W>, { resource, key }: Message): void {
  if (resource.kind === step.resource.kind && resource.apiVersion === step.resource.apiVersion) {
    if (step.resource.namespaced === (key.namespace !== undefined)) return;
    throw new MalformedMessage(
      `${resource.kind} ${key.name} ${key.namespace === undefined ? 'lacks a' : 'has no'} namespace`,
    );
  }
  throw new MalformedMessage(
    `${step.name} reconciles ${step.resource.kind} of ${step.resource.apiVersion}, not ${resource.kind} of ${resource.apiVersion}`,
  );
}

function runtimeFrom(config: Config): Runtime {
  const clusters = new Clusters(config.clusters);
  return {
    cluster: async (name) => (await clusters.get(name)).cluster,
    forgetCredentials: (name) => clusters.forget(name),
    postpone: postponeOn(config.queueUrl),
    maxReceives: config.maxReceives,
    log: consoleLog({ function: config.function }),
    now: () => new Date(),
  };
}

function ofCluster(measurement: Measurement, cluster: string): Measurement {
  return { ...measurement, dimensions: { Cluster: cluster, ...measurement.dimensions } };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
