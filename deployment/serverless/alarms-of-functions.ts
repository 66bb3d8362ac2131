import type { Alarm } from './alarm.ts';
import type { DeploymentContext } from './deployment-context.ts';
import { prefixOf, queueOf } from './service.ts';

const persisting = { of: 3, least: 3 };

/** Steps report failures per message: an error of the function itself means that it does not run at all. */
export function alarmsOfFunction(name: string, { service, name: deployment }: DeploymentContext): Alarm[] {
  const block = service.functions[name] ?? {};
  const dimensions = { FunctionName: `${deployment}-${name}` };
  // A daily function fails once a day; all others must keep failing.
  const often = queueOf(block) !== undefined || name === 'forward';
  const shared = { namespace: 'AWS/Lambda', dimensions, statistic: 'Sum', above: 0, periodSeconds: 300 } as const;
  return [
    {
      ...shared,
      id: `${prefixOf(name)}Errors`,
      name: `${name}-errors`,
      description: `Invocations of ${name} fail${often ? ' for a quarter of an hour' : ''}: it is misconfigured, out of time or memory, or cannot reach what it needs. Its log says which: /aws/lambda/${deployment}-${name}. See docs/recovery.md#a-function-is-faulty.`,
      metric: 'Errors',
      ...(often ? { periods: persisting } : {}),
    },
    {
      ...shared,
      id: `${prefixOf(name)}Throttles`,
      name: `${name}-throttles`,
      description: `AWS refuses to run ${name} for a quarter of an hour: the account's or the function's own limit of concurrent executions is reached. Nothing is lost, but it waits. See docs/recovery.md#aws-throttles.`,
      metric: 'Throttles',
      periods: persisting,
    },
  ];
}
