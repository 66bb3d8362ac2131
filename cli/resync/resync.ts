import { SQSClient } from '@aws-sdk/client-sqs';
import { storeInBucket } from '../../lib/archive/s3-store.ts';
import { forwardedFunctions, type Routing, routingFor } from '../../lib/capabilities/all-capabilities.ts';
import { sendTo } from '../../lib/queue/send.ts';
import { archiveSent } from '../../lib/recovery/archive-sent.ts';
import type { Deployment } from '../../lib/recovery/deployment/deployment.ts';
import { type ResyncReport, resync, unsentOf } from '../../lib/recovery/resync/resync.ts';
import { isCheck, type ToSend, type Wanted } from '../../lib/recovery/resync/unfinished-object.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { errorText } from '../../lib/runtime/error-text.ts';
import { requestedCluster } from '../cluster-name.ts';
import { openDeployed } from '../connect/deployed-cluster.ts';
import type { IdentityOptions } from '../connect/identity-option.ts';
import type { ClusterOptions } from '../connect/options.ts';
import { findDeployment } from '../deployment.ts';
import type { DeploymentOptions } from '../deployment-options.ts';
import { Interrupted, stopSignal } from '../interrupted.ts';
import { readKind } from '../kind.ts';
import { documentText } from '../terminal/document.ts';
import { type DocumentOptions, formOf } from '../terminal/document-option.ts';
import { Progress } from '../terminal/progress.ts';
import { say } from '../terminal/say.ts';
import { nameOfRoute, ResyncOutput } from './output.ts';
import { Silence } from './silence.ts';

export interface ResyncOptions extends DeploymentOptions, ClusterOptions, IdentityOptions, DocumentOptions {
  cluster?: string | undefined;
  kind?: string | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
  rate: number;
  dryRun?: true | undefined;
}

/** Enqueues everything unfinished of a cluster again, whether a forwarder is at work or not. */
export async function resyncCluster(options: ResyncOptions): Promise<void> {
  const { rate: ratePerSecond, dryRun: isDryRun = false, kubeconfig, context, assumeCluster: assumed } = options;
  const wanted = wantedBy(options);
  const form = formOf(options);
  const deployment = await findDeployment(options);
  const cluster = requestedCluster(options.cluster, deployment);
  const routing = routingOf(deployment);
  const progress = new Progress(process.stderr, realClock);
  const { connection } = await progress.during(
    () => ({ text: `connecting to cluster ${cluster}` }),
    openDeployed({ kubeconfig, context, cluster, deployment, assumed, contextOption: '--context <context>' }),
  );
  const stop = stopSignal();
  const silence = new Silence(connection, cluster);
  const telling = new ResyncOutput(process.stderr);
  const shared = { cluster, clock: realClock };
  const { keep, close: finish } = archiveSent({ ...shared, store: isDryRun ? undefined : storeOf(deployment) });
  const { send, close } = sendTo(urlsOf(deployment), new SQSClient());
  const listed = Promise.withResolvers<void>();
  let listing = `listing the objects of cluster ${cluster}`;
  const onKind = (kind: string, objects: number) => {
    listing = `listing each ${kind} of cluster ${cluster}; ${objects} objects were read`;
  };
  const onFound = (_: unknown, all: readonly ToSend[]) => {
    silence.end();
    listed.resolve();
    telling.found(all);
    if (isDryRun && !form) for (const each of all) if (!isCheck(each)) say(nameOfRoute(each));
  };
  const onSent = (message: Parameters<typeof keep>[0]) => {
    keep(message);
    telling.sent();
  };
  const signal = AbortSignal.any([stop, silence.signal]);
  const what = { ...shared, api: silence.api, routing, wanted, isDryRun, ratePerSecond, signal };
  const working = resync({ ...what, send, log: telling, onKind, onFound, onSent }).finally(() => connection.close());
  await progress.during(() => ({ text: listing }), Promise.race([listed.promise, working])).catch(() => {});
  const report = await working
    .catch((error: unknown) => {
      if (stop.aborted) throw new Interrupted(errorText(error));
      throw silence.problem ?? error;
    })
    .finally(() => {
      silence.end();
      close();
    });
  if (form) console.log(documentText(telling.documentOf(report, isDryRun), form));
  else say(telling.summaryOf(report, isDryRun));
  telling.warn(await finish());
  failUnlessAll(report, stop.aborted);
}

function wantedBy({ kind, namespace, name }: Pick<ResyncOptions, 'kind' | 'namespace' | 'name'>): Wanted {
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
    const text = `${unsent} messages were not sent: ${why}. Run it again: it finds what is still unfinished, and duplicates do no harm`;
    throw isStopped ? new Interrupted(text) : new Error(text);
  }
  const unseen = report.leftOut.filter(({ isExpected }) => !isExpected).map(({ kind }) => kind);
  if (unseen.length === 0) return;
  throw new Error(`not everything was read: allow listing ${unseen.join(', ')} in the cluster, and run it again`);
}
