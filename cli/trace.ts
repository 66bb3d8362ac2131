import { readingClient } from '../lib/archive/s3-client.ts';
import { sourceInBucket } from '../lib/archive/s3-source.ts';
import { isLegalName, keyNamed, nameOf, type ObjectName } from '../lib/kubernetes/resources.ts';
import type { Deployment } from '../lib/recovery/deployment/deployment.ts';
import { type Timeline, timelineOf } from '../lib/recovery/timeline/timeline.ts';
import { nameOfObject } from '../lib/recovery/timeline/timeline-entry.ts';
import { redacted } from '../lib/runtime/redaction.ts';
import { onStop } from '../lib/runtime/stop-signals.ts';
import { clusterOptions, clusterUsage, openCluster } from './cluster.ts';
import { requestedCluster } from './cluster-name.ts';
import type { Command } from './command.ts';
import { deploymentOptions, deploymentUsage, findDeployment } from './deployment.ts';
import { readKind } from './kind.ts';
import { readTime, readWithNames } from './parse/options.ts';
import { UsageError } from './parse/usage-error.ts';
import { printable } from './terminal/printable.ts';
import { jsonOf, linesOf } from './trace-lines.ts';
import { openLogs } from './trace-logs.ts';

/** Shows everything that is known to have happened to an object. */
export const trace: Command = {
  summary: 'show everything that happened to an object',
  usage: `trace <kind> <namespace>/<name> [options]
       longshore trace <kind> <name> [options]

Shows everything that happened to an object and to related objects, in order.
The second form is for cluster-scoped kinds.

${deploymentUsage}
${clusterUsage}
  --from <time>                  start of the search in archive and logs: such as 2026-11-19T03:00Z, or 6h for six
                                 hours ago (default 24h)
  --logs                         also show what the functions logged about the object
  --no-archive                   do not show the messages about the object
  --json                         print one JSON object per entry

Examples:
  longshore trace pvc team-a/data --stage production
  longshore trace pv volume-1 --from 2d --logs --stage production`,
  run,
};

const flag = { type: 'boolean' } as const;
const described = {
  ...deploymentOptions,
  ...clusterOptions,
  from: { type: 'string' },
  logs: flag,
  'no-archive': flag,
  json: flag,
} as const;

async function run(given: string[]): Promise<void> {
  const { values, names } = readWithNames(given, described, 2);
  const object = objectNamed(names);
  const now = new Date();
  const range = { from: readTime('from', values.from ?? '24h', now), to: now };
  if (range.from >= now) throw new UsageError(`--from must be before now, but is ${values.from}`);
  const hasArchive = !values['no-archive'];
  const hasLogs = values.logs ?? false;
  const deployment = hasArchive || hasLogs ? await findDeployment(values) : undefined;
  const cluster = deployment ? requestedCluster(values.cluster, deployment) : (values.cluster ?? '');
  const stop = new AbortController();
  onStop(() => stop.abort());
  const { signal } = stop;
  const source = hasArchive ? archiveOf(deployment, signal) : undefined;
  const logs = deployment && hasLogs ? await openLogs(deployment, object.resource, range) : undefined;
  const view = await openCluster({ cluster, context: values.context });
  const timeline = await timelineOf(object, {
    view,
    archive: source && { source, range: { ...range, cluster }, signal },
    logs: logs && { ...logs, cluster, signal },
  });
  view.connection.close();
  logs?.close();
  show(object, timeline, values.json ?? false);
  if (signal.aborted) throw new Error('stopped: these are the entries found so far');
}

function objectNamed([kind, name, ...others]: string[]): ObjectName {
  if (kind === undefined || name === undefined || others.length > 0) {
    throw new UsageError('give a kind and a name, such as bucket album/photos');
  }
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
  console.error('the deployment keeps no archive: messages are not shown');
  return undefined;
}

/** Text of others stays within our lines. */
export function show(object: ObjectName, { entries, exists, isKnown, problems }: Timeline, isJson: boolean): void {
  for (const problem of problems) console.error(printable(redacted(problem)));
  const name = nameOfObject(object);
  if (!isKnown)
    throw new Error(`nothing is known about ${name}: check kind, namespace and name, or look further back with --from`);
  if (exists === false) console.error(`${name} is not in the cluster now`);
  for (const line of isJson ? entries.map(jsonOf) : linesOf(entries)) console.log(line);
}
