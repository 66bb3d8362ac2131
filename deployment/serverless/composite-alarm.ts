import type { Alarm } from './alarm.ts';
import type { DeploymentContext } from './deployment-context.ts';
import type { Resource } from './service.ts';

/**
 * One alarm that fires while any of the others does: whoever is paged by it is paged once for an incident, whatever else
 * follows from it. Until that is over, it says nothing of what begins meanwhile; the others do.
 */
export function compositeAlarm(
  alarms: readonly Alarm[],
  { name, parameters }: DeploymentContext,
): Record<string, Resource> {
  const topic = parameters['page-topic'];
  if (topic === undefined || alarms.length === 0) return {};
  return {
    AnyAlarm: {
      Type: 'AWS::CloudWatch::CompositeAlarm',
      // CloudWatch refuses a rule that names an alarm that is not there.
      DependsOn: alarms.map(({ id }) => `${id}Alarm`),
      Properties: {
        AlarmName: `${name}-any`,
        AlarmDescription: `At least one alarm of ${name} has fired. The dashboard of this name shows which, and their descriptions say what to do. See docs/recovery.md#what-you-see-and-what-to-do.`,
        AlarmRule: alarms.map((alarm) => `ALARM(${quoted(`${name}-${alarm.name}`)})`).join(' OR '),
        AlarmActions: [topic],
        OKActions: [topic],
      },
    },
  };
}

/** A cluster's name may have quotes. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
