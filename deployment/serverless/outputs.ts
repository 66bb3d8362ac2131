import { archiveOutputs } from './archive.ts';
import type { DeploymentContext } from './deployment-context.ts';
import { deadLetterQueueOf, type Output, prefixOf, queueOf } from './service.ts';
import { arnOf } from './statements.ts';

/** CloudFormation's limit: a deployment of very many clusters does not name them. */
const maxValueLength = 1_024;

/** The stack's outputs: lib/recovery/deployment reads them, and deployment/eks-access.yml imports the roles. */
export function outputs(context: DeploymentContext): Record<string, Output> {
  const { service, parameters, name: deployment } = context;
  const found: Record<string, Output> = { ...archiveOutputs(context) };
  const clusterNames = JSON.stringify(parameters.clusters.map(({ name }) => name));
  if (clusterNames.length <= maxValueLength) found.ClusterNames = { Value: clusterNames };
  for (const [name, block] of Object.entries(service.functions)) {
    const prefix = prefixOf(name);
    found[`${prefix}RoleArn`] = { Value: arnOf(`${prefix}Role`), Export: { Name: `${deployment}-${name}-role` } };
    const queue = queueOf(block);
    if (queue === undefined) continue;
    found[`${queue}Url`] = { Value: { Ref: queue } };
    found[`${deadLetterQueueOf(queue)}Url`] = { Value: { Ref: deadLetterQueueOf(queue) } };
  }
  return found;
}
