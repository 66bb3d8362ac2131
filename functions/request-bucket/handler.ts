import { deadLettersTo } from '../../lib/buckets/requests/dead-letters.ts';
import { Clusters } from '../../lib/cluster/clusters.ts';
import { type Config, ConfigError, readConfig } from '../../lib/config.ts';
import { invocationLog } from '../../lib/log.ts';
import { MemoryBudget } from '../../lib/memory/budget.ts';
import { postponeOn } from '../../lib/queue/postpone.ts';
import { clustersFor, type Handler } from '../../lib/reconcile/serve.ts';
import { createRequestHandler } from './requests.ts';

let handle: Handler | undefined;

export const handler: Handler = (event, invocation) => {
  handle ??= handlerFrom(readConfig());
  return handle(event, invocation);
};

function handlerFrom(config: Config): Handler {
  const { bucketRequests: settings } = config;
  if (!settings) {
    throw new ConfigError('LONGSHORE_DEAD_LETTERS_URL', 'is not set: it is where refused requests are put');
  }
  const memory = new MemoryBudget(config.megabytes);
  const clusters = new Clusters(config.clusters, config.function, memory);
  return createRequestHandler(settings, {
    cluster: clustersFor(clusters),
    memory,
    forgetCredentials: (name) => clusters.forget(name),
    postpone: postponeOn(config.queueUrl),
    bury: deadLettersTo(settings.deadLettersUrl),
    maxReceives: config.maxReceives,
    log: invocationLog(config),
    now: () => new Date(),
  });
}
