import { SQSClient } from '@aws-sdk/client-sqs';
import { type DeadLetterQueue, deadLetterQueue } from '../../lib/recovery/dead-letters/dead-letter-queue.ts';
import type { Selection } from '../../lib/recovery/dead-letters/selection.ts';
import type { Deployment } from '../../lib/recovery/deployment/deployment.ts';
import { queueOf } from '../../lib/recovery/deployment/deployment.ts';
import type { IdentityOptions } from '../connect/identity-option.ts';
import { findDeployment } from '../deployment.ts';
import type { DeploymentOptions } from '../deployment-options.ts';
import { readKind } from '../kind.ts';
import { contextsFrom } from './readable-clusters.ts';

export interface DeadLetterOptions extends DeploymentOptions, IdentityOptions {
  function?: string | undefined;
  cluster?: string | undefined;
  kind?: string | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
  olderThan?: Date | undefined;
  kubeconfig?: string | undefined;
  context?: readonly string[] | undefined;
}

/** The options after validation, before any call. */
export interface Selected {
  selection: Selection;
  functionName: string | undefined;
  contexts: Map<string, string | undefined>;
  kubeconfig?: string | undefined;
  /** The uids of clusters that are taken for the right ones. */
  assumed?: readonly string[] | undefined;
}

export function selectedBy(given: DeadLetterOptions): Selected {
  const { cluster, kind, namespace, name, olderThan } = given;
  return {
    selection: {
      cluster,
      kind: kind === undefined ? undefined : readKind(kind).kind,
      namespace,
      name,
      before: olderThan,
    },
    functionName: given.function,
    contexts: contextsFrom(cluster, given.context ?? []),
    kubeconfig: given.kubeconfig,
    assumed: given.assumeCluster,
  };
}

export interface Queues {
  deployment: Deployment;
  /** Of the selected functions. */
  queues: readonly DeadLetterQueue[];
  close(): void;
}

export async function openQueues(given: DeadLetterOptions, { functionName, contexts }: Selected): Promise<Queues> {
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

/** Of a cluster that the deployment does not serve no object is looked at: no context can be checked to be it. */
export function servedContexts(
  contexts: ReadonlyMap<string, string | undefined>,
  { clusters }: Deployment,
): ReadonlyMap<string, string | undefined> {
  return new Map([...contexts].filter(([name]) => clusters?.includes(name) ?? true));
}
