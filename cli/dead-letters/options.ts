import { SQSClient } from '@aws-sdk/client-sqs';
import { type DeadLetterQueue, deadLetterQueue } from '../../lib/recovery/dead-letters/dead-letter-queue.ts';
import type { Selection } from '../../lib/recovery/dead-letters/selection.ts';
import type { Deployment } from '../../lib/recovery/deployment/deployment.ts';
import { queueOf } from '../../lib/recovery/deployment/deployment.ts';
import { deploymentOptions, findDeployment } from '../deployment.ts';
import { readKind } from '../kind.ts';
import { readTime } from '../parse/options.ts';
import { contextsFrom } from './readable-clusters.ts';

/** The options of all commands about dead letters. */
export const deadLetterOptions = {
  ...deploymentOptions,
  function: { type: 'string' },
  cluster: { type: 'string' },
  kind: { type: 'string' },
  namespace: { type: 'string' },
  name: { type: 'string' },
  'older-than': { type: 'string' },
  context: { type: 'string', multiple: true },
} as const;

export const deadLetterUsage = `  --function <function>          only dead letters of this function
  --cluster <name>               only dead letters for objects in this cluster
  --kind <kind> --namespace <namespace> --name <name>
                                 only dead letters for these objects
  --older-than <time>            only messages that became dead letters before this time, such as
                                 2026-11-19T03:00Z, or 6h for six hours ago
  --context <cluster>=<context>  kubeconfig context to read the current state of a cluster's objects with; once for
                                 each cluster. With --cluster just <context> (default: the current one)`;

interface Given {
  stage?: string | undefined;
  stack?: string | undefined;
  function?: string | undefined;
  cluster?: string | undefined;
  kind?: string | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
  'older-than'?: string | undefined;
  context?: string[] | undefined;
}

/** The options after validation, before any call. */
export interface Selected {
  selection: Selection;
  functionName: string | undefined;
  contexts: Map<string, string | undefined>;
}

export function selectedBy(given: Given, now: Date): Selected {
  const { cluster, kind, namespace, name, 'older-than': olderThan } = given;
  return {
    selection: {
      cluster,
      kind: kind === undefined ? undefined : readKind(kind).kind,
      namespace,
      name,
      before: olderThan === undefined ? undefined : readTime('older-than', olderThan, now),
    },
    functionName: given.function,
    contexts: contextsFrom(cluster, given.context ?? []),
  };
}

export interface Queues {
  deployment: Deployment;
  /** Of the selected functions. */
  queues: readonly DeadLetterQueue[];
  close(): void;
}

export async function openQueues(given: Given, { functionName, contexts }: Selected): Promise<Queues> {
  const deployment = await findDeployment(given);
  warnUnserved([...contexts.keys()], deployment);
  const names = functionName === undefined ? Object.keys(deployment.queues) : [functionName];
  const client = new SQSClient();
  const queues = names.map((name) => deadLetterQueue(name, queueOf(deployment, name), client));
  return { deployment, queues, close: () => client.destroy() };
}

/** There may be dead letters about a cluster that is no longer served; but it may also be a typo. */
function warnUnserved(named: readonly string[], { name, clusters }: Deployment): void {
  const unserved = named.filter((each) => clusters && !clusters.includes(each));
  if (unserved.length > 0)
    console.error(`${name} has no cluster ${unserved.join(', ')}; it has ${clusters?.join(', ')}`);
}
