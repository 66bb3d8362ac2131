import { SQSClient } from '@aws-sdk/client-sqs';
import { storeInBucket } from '../lib/archive/s3-store.ts';
import { forwardedFunctions, type Routing, routingFor } from '../lib/capabilities/index.ts';
import { sendTo } from '../lib/queue/send.ts';
import { archiveSent } from '../lib/recovery/archive-sent.ts';
import type { Deployment } from '../lib/recovery/deployment/deployment.ts';
import { defaultRate, maxRate, type ResyncReport, resync, unsentOf } from '../lib/recovery/resync/resync.ts';
import { isCheck, type ToSend, type Wanted } from '../lib/recovery/resync/unfinished-object.ts';
import { realClock } from '../lib/runtime/clock.ts';
import { onStop } from '../lib/runtime/stop-signals.ts';
import { clusterOptions, clusterUsage, openCluster } from './cluster.ts';
import { requestedCluster } from './cluster-name.ts';
import type { Command } from './command.ts';
import { deploymentOptions, deploymentUsage, findDeployment } from './deployment.ts';
import { readKind } from './kind.ts';
import { readCount, readOptions } from './parse/options.ts';
import { UsageError } from './parse/usage-error.ts';
import { nameOfRoute, ResyncOutput } from './resync-output.ts';

/** Enqueues everything unfinished of a cluster again, whether a forwarder is at work or not. */
export const resyncCommand: Command = {
  summary: 'send a message for each object with unfinished work',
  usage: `resync [options]

Lists the objects of a cluster and sends a message for each one with unfinished work.

${deploymentUsage}
${clusterUsage}
  --kind <kind> --namespace <namespace> --name <name>
                                 only messages for these objects
  --rate <n>                     messages per second: 1-${maxRate} (default ${defaultRate})
  --dry-run                      list what would be sent, but send nothing

Examples:
  longshore resync --stage production --dry-run
  longshore resync --stage production --kind pvc --namespace team-a`,
  run,
};

const text = { type: 'string' } as const;
const described = {
  ...deploymentOptions,
  ...clusterOptions,
  kind: text,
  namespace: text,
  name: text,
  rate: text,
  'dry-run': { type: 'boolean' },
} as const;

async function run(given: string[]): Promise<void> {
  const options = readOptions(given, described);
  const ratePerSecond = options.rate === undefined ? defaultRate : readCount('rate', options.rate, 1, maxRate);
  const wanted = wantedBy(options);
  const isDryRun = options['dry-run'] ?? false;
  const deployment = await findDeployment(options);
  const cluster = requestedCluster(options.cluster, deployment);
  const routing = routingOf(deployment);
  const { connection: api } = await openCluster({ cluster, context: options.context });
  const stop = new AbortController();
  onStop(() => stop.abort());
  const telling = new ResyncOutput(process.stderr);
  const shared = { cluster, clock: realClock };
  const { keep, close: finish } = archiveSent({ ...shared, store: isDryRun ? undefined : storeOf(deployment) });
  const { send, close } = sendTo(urlsOf(deployment), new SQSClient());
  const onFound = (_: unknown, all: readonly ToSend[]) => {
    telling.found(all.length);
    if (isDryRun) for (const each of all) if (!isCheck(each)) console.log(nameOfRoute(each));
  };
  const onSent = (message: Parameters<typeof keep>[0]) => {
    keep(message);
    telling.sent();
  };
  const what = { ...shared, api, routing, wanted, isDryRun, ratePerSecond, signal: stop.signal };
  const report = await resync({ ...what, send, log: telling, onFound, onSent }).finally(() => api.close());
  close();
  console.log(telling.summaryOf(report, isDryRun));
  telling.warn(await finish());
  failUnlessAll(report, stop.signal.aborted);
}

function wantedBy({ kind, namespace, name }: { kind?: string; namespace?: string; name?: string }): Wanted {
  if (namespace === '' || name === '') throw new UsageError('--namespace and --name must not be empty');
  return { resource: kind === undefined ? undefined : readKind(kind), namespace, name };
}

function storeOf({ archive }: Deployment) {
  return archive === undefined ? undefined : storeInBucket(archive);
}

/** Some queues are fed by others than the cluster. */
function routingOf({ queues }: Deployment): Routing {
  return routingFor(Object.keys(queues).filter((name) => forwardedFunctions.has(name)));
}

function urlsOf({ queues }: Deployment): Record<string, string> {
  return Object.fromEntries(Object.entries(queues).map(([name, { url }]) => [name, url]));
}

/** Whoever may list nothing has found nothing, which must not look as if there were nothing to do. */
export function failUnlessAll(report: Pick<ResyncReport, 'results' | 'leftOut'>, isStopped: boolean): void {
  const unsent = unsentOf(report);
  if (unsent > 0) {
    const problems = report.results.flatMap(({ function: name, problem }) => (problem ? [`${name}: ${problem}`] : []));
    const why = isStopped ? 'it was stopped' : problems.join('; ');
    throw new Error(
      `${unsent} messages were not sent: ${why}. Run it again: it finds what is still unfinished, and duplicates do no harm`,
    );
  }
  const unseen = report.leftOut.filter(({ isExpected }) => !isExpected).map(({ kind }) => kind);
  if (unseen.length === 0) return;
  throw new Error(`not everything was read: allow listing ${unseen.join(', ')} in the cluster, and run it again`);
}
