import { readingClient } from '../../lib/archive/s3-client.ts';
import { sourceInBucket } from '../../lib/archive/s3-source.ts';
import { isLegalName, keyNamed, nameOf, type ObjectName } from '../../lib/kubernetes/resources.ts';
import type { Deployment } from '../../lib/recovery/deployment/deployment.ts';
import { type Timeline, timelineOf } from '../../lib/recovery/timeline/timeline.ts';
import { nameOfObject } from '../../lib/recovery/timeline/timeline-entry.ts';
import { redacted } from '../../lib/runtime/redaction.ts';
import { requestedCluster } from '../cluster-name.ts';
import { openDeployed } from '../connect/deployed-cluster.ts';
import type { IdentityOptions } from '../connect/identity-option.ts';
import type { ClusterOptions } from '../connect/options.ts';
import { plainRefusals } from '../connect/plain-error.ts';
import { findDeployment } from '../deployment.ts';
import type { DeploymentOptions } from '../deployment-options.ts';
import { Interrupted, stopSignal } from '../interrupted.ts';
import { readKind } from '../kind.ts';
import { UsageError } from '../parse/usage-error.ts';
import { readTime } from '../parse/values.ts';
import { documentText } from '../terminal/document.ts';
import { type DocumentForm, type DocumentOptions, formOf } from '../terminal/document-option.ts';
import { printable } from '../terminal/printable.ts';
import { note } from '../terminal/say.ts';
import { lineWidth } from '../terminal/width.ts';
import { documentOf, linesOf } from './lines.ts';
import { openLogs } from './logs.ts';

export interface TraceOptions extends DeploymentOptions, ClusterOptions, IdentityOptions, DocumentOptions {
  cluster?: string | undefined;
  from: string;
  logs?: true | undefined;
  archive: boolean;
}

/** Shows everything that is known to have happened to an object. */
export async function trace(kind: string, name: string, options: TraceOptions): Promise<void> {
  const object = objectNamed(kind, name);
  const now = new Date();
  const range = { from: readTime('--from', options.from, now), to: now };
  if (range.from >= now) throw new UsageError(`--from must be before now, but is ${options.from}`);
  const { archive: hasArchive, logs: hasLogs = false } = options;
  const deployment = hasArchive || hasLogs ? await findDeployment(options) : undefined;
  const cluster = deployment ? requestedCluster(options.cluster, deployment) : (options.cluster ?? '');
  const { kubeconfig, context, assumeCluster: assumed } = options;
  const contextOption = '--context <context>';
  const view = await openDeployed({ kubeconfig, context, cluster, deployment, assumed, contextOption });
  const signal = stopSignal();
  const source = hasArchive ? archiveOf(deployment, signal) : undefined;
  const logs = deployment && hasLogs ? await openLogs(deployment, object.resource, range) : undefined;
  const timeline = await timelineOf(object, {
    view,
    archive: source && { source, range: { ...range, cluster }, signal },
    logs: logs && { ...logs, cluster, signal },
  });
  view.connection.close();
  logs?.close();
  show(object, timeline, formOf(options));
  if (signal.aborted) throw new Interrupted('stopped: these are the entries found so far');
}

function objectNamed(kind: string, name: string): ObjectName {
  const resource = readKind(kind);
  const parts = name.split('/');
  const isRight = parts.length === (resource.namespaced ? 2 : 1) && parts.every(isLegalName);
  if (!isRight) {
    const form = resource.namespaced ? '<namespace>/<name>' : '<name>, without a namespace';
    throw new UsageError(`the name of a ${resource.kind} must be ${form}, but is ${JSON.stringify(name)}`);
  }
  return resource.namespaced ? { resource, ...keyNamed(name) } : nameOf(resource, undefined, name);
}

function archiveOf(deployment: Deployment | undefined, signal: AbortSignal) {
  if (deployment?.archive !== undefined) return sourceInBucket(deployment.archive, readingClient(signal));
  note('the deployment keeps no archive: messages are not shown');
  return undefined;
}

/** Text of others stays within our lines. */
export function show(
  object: ObjectName,
  { entries, exists, isKnown, problems }: Timeline,
  form: DocumentForm | undefined,
): void {
  for (const problem of problems) note(printable(plainRefusals(redacted(problem))));
  const name = nameOfObject(object);
  if (!isKnown)
    throw new Error(`nothing is known about ${name}: check kind, namespace and name, or look further back with --from`);
  if (exists === false) note(`${name} is not in the cluster now`);
  if (form) console.log(documentText(entries.map(documentOf), form));
  else for (const line of linesOf(entries, lineWidth(process.stdout))) console.log(line);
}
