import { archiveOutputs } from './archive.ts';
import { deadLetterQueueOf, type Output, prefixOf, queueOf } from './service.ts';
import { arnOf } from './statements.ts';
import type { Surroundings } from './surroundings.ts';

/** CloudFormation takes no longer value: a deployment of very many clusters does not name them. */
const maxValueLength = 1_024;

/** What a deployment says of itself: lib/recovery/deployment reads it, and deployment/eks-access.yml imports the roles. */
export function outputs(surroundings: Surroundings): Record<string, Output> {
  const { service, parameters, name: deployment } = surroundings;
  const found: Record<string, Output> = { ...archiveOutputs(surroundings) };
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
