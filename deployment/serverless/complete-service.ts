import { alarmResources } from './alarm.ts';
import { alarmsOfFailures, alarmsOfForwarders } from './alarms-of-clusters.ts';
import { alarmsOfFunctions } from './alarms-of-functions.ts';
import { alarmsOfQueues } from './alarms-of-queues.ts';
import { alarmsOfRules } from './alarms-of-rules.ts';
import { alarmsOfStores } from './alarms-of-stores.ts';
import { archiveResources } from './archive.ts';
import { chooseFunctions } from './capabilities.ts';
import { compositeAlarm } from './composite-alarm.ts';
import { dashboardResources } from './dashboard.ts';
import type { DeploymentContext } from './deployment-context.ts';
import { keyOf, keyResources, logExtensions } from './encryption.ts';
import { refuseTooManyVariables } from './environment-size.ts';
import { completeFunction } from './functions.ts';
import { outputs } from './outputs.ts';
import type { Parameters } from './parameters.ts';
import { queueResources } from './queues.ts';
import { roleResources } from './role-resources.ts';
import { ruleResources } from './rules.ts';
import type { Resource, Service } from './service.ts';

/**
 * Generates the resources that the blocks of serverless.yml name and the parameters select: roles, queues and their policies,
 * the archive, the key, alarms, the dashboard and the outputs. The blocks state the event sources and permissions of each
 * function; the resources follow from these.
 */
export function completeService(service: Service, parameters: Parameters, stage: string): void {
  service.functions = chooseFunctions(service.functions, parameters.capabilities);
  const context: DeploymentContext = { service, parameters, stage, name: `${service.service}-${stage}` };
  const names = Object.keys(service.functions);
  const key = keyOf(context);
  if (key) service.provider.kmsKeyArn = key;
  const { 'subnet-ids': subnetIds, 'security-group-ids': securityGroupIds } = parameters;
  if (subnetIds.length > 0) service.provider.vpc = { subnetIds, securityGroupIds };
  const alarms = parameters.alarms ? allAlarms(context) : [];
  const made: Record<string, Resource> = {
    ...keyResources(context),
    ...archiveResources(context),
    ...Object.assign({}, ...names.map((name) => roleResources(name, context))),
    ...Object.assign({}, ...names.map((name) => queueResources(name, context))),
    ...ruleResources(context),
    ...dashboardResources(context, alarms),
    ...alarmResources(alarms, context),
    ...compositeAlarm(alarms, context),
  };
  service.resources = {
    ...service.resources,
    Resources: { ...made, ...service.resources?.Resources },
    Outputs: { ...outputs(context), ...service.resources?.Outputs },
    extensions: { ...logExtensions(context), ...service.resources?.extensions },
  };
  // Each block is completed from the others as written in serverless.yml.
  const completed = names.map((name) => [name, completeFunction(name, context)] as const);
  service.functions = Object.fromEntries(completed);
  refuseTooManyVariables(service);
}

function allAlarms(context: DeploymentContext) {
  return [
    ...alarmsOfForwarders(context),
    ...alarmsOfFailures(context),
    ...alarmsOfQueues(context),
    ...alarmsOfFunctions(context),
    ...alarmsOfRules(context),
    ...alarmsOfStores(context),
  ];
}
