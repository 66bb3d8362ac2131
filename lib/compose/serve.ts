import { Clusters } from '../kubernetes/clusters.ts';
import { postponeOn } from '../queue/postpone.ts';
import type { Runtime } from '../reconcile/handler-runtime.ts';
import { createHandler, type Handler } from '../reconcile/serve.ts';
import type { Step, World } from '../reconcile/step.ts';
import { type Config, readConfig } from '../runtime/config.ts';
import { invocationLog } from '../runtime/log.ts';
import { MemoryBudget } from '../runtime/memory/budget.ts';

/** A step, or a function that creates one from the configuration. */
export type StepSource = Step<World> | ((config: Config) => Step<World>);

/** The Lambda handler of a step. Everything around it is created from the environment at the first call. */
export function serve(source: StepSource): Handler {
  let handler: Handler | undefined;
  const create = (config: Config) =>
    createHandler(typeof source === 'function' ? source(config) : source, runtimeFrom(config));
  return (event, invocation) => {
    handler ??= create(readConfig());
    return handler(event, invocation);
  };
}

/** The clusters, as seen by each message. */
export function clustersFor(clusters: Clusters): Runtime['cluster'] {
  return async (name, trace, reading = {}) => (await clusters.get(name)).cluster.within({ trace, ...reading });
}

export function runtimeFrom(config: Config): Runtime {
  const memory = new MemoryBudget(config.megabytes);
  const clusters = new Clusters(config.clusters, config.function, memory);
  return {
    cluster: clustersFor(clusters),
    memory,
    forgetCredentials: (name) => clusters.forget(name),
    postpone: postponeOn(config.queueUrl),
    maxReceives: config.maxReceives,
    log: invocationLog(config),
    now: () => new Date(),
  };
}
