import { alarmResources } from './alarm.ts';
import { alarmsOfClusters } from './alarms-of-clusters.ts';
import { alarmsOfFunction } from './alarms-of-functions.ts';
import { alarmsOfQueue } from './alarms-of-queues.ts';
import { alarmsOfRules } from './alarms-of-rules.ts';
import { alarmsOfStores } from './alarms-of-stores.ts';
import { archiveResources } from './archive.ts';
import { chooseFunctions } from './capabilities.ts';
import { dashboardResources } from './dashboard.ts';
import { keyOf, keyResources, logExtensions } from './encryption.ts';
import { refuseTooManyVariables } from './environment-size.ts';
import { completeFunction } from './functions.ts';
import { outputs } from './outputs.ts';
import type { Parameters } from './parameters.ts';
import { queueResources } from './queues.ts';
import { roleResources } from './roles.ts';
import { ruleResources } from './rules.ts';
import type { Resource, Service } from './service.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Makes what the blocks of serverless.yml name and the parameters ask for: roles, queues and their policies, the archive, the
 * key, alarms, the dashboard and the outputs. The blocks say what feeds whom and who may what; this says how.
 */
export function completeService(service: Service, parameters: Parameters, stage: string): void {
  service.functions = chooseFunctions(service.functions, parameters.capabilities);
  const surroundings: Surroundings = { service, parameters, stage, name: `${service.service}-${stage}` };
  const names = Object.keys(service.functions);
  const key = keyOf(surroundings);
  if (key) service.provider.kmsKeyArn = key;
  const { 'subnet-ids': subnetIds, 'security-group-ids': securityGroupIds } = parameters;
  if (subnetIds.length > 0) service.provider.vpc = { subnetIds, securityGroupIds };
  const made: Record<string, Resource> = {
    ...keyResources(surroundings),
    ...archiveResources(surroundings),
    ...Object.assign({}, ...names.map((name) => roleResources(name, surroundings))),
    ...Object.assign({}, ...names.map((name) => queueResources(name, surroundings))),
    ...ruleResources(surroundings),
    ...dashboardResources(surroundings),
    ...(parameters.alarms ? alarmResources(allAlarms(surroundings), surroundings) : {}),
  };
  service.resources = {
    ...service.resources,
    Resources: { ...made, ...service.resources?.Resources },
    Outputs: { ...outputs(surroundings), ...service.resources?.Outputs },
    extensions: { ...logExtensions(surroundings), ...service.resources?.extensions },
  };
  // Each block is completed from the others as they are written.
  const completed = names.map((name) => [name, completeFunction(name, surroundings)] as const);
  service.functions = Object.fromEntries(completed);
  refuseTooManyVariables(service);
}

function allAlarms(surroundings: Surroundings) {
  const names = Object.keys(surroundings.service.functions);
  return [
    ...names.flatMap((name) => alarmsOfQueue(name, surroundings)),
    ...alarmsOfRules(surroundings),
    ...names.flatMap((name) => alarmsOfFunction(name, surroundings)),
    ...alarmsOfClusters(surroundings),
    ...alarmsOfStores(surroundings),
  ];
}
