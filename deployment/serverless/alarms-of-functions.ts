import { type Alarm, type AlarmMetric, alarmsFor, evenIfLate } from './alarm.ts';
import type { DeploymentContext } from './deployment-context.ts';
import { areRulesOff } from './rules.ts';
import { queueOf } from './service.ts';

interface OfFunction extends AlarmMetric {
  of: string;
}

const namesOf = (metrics: readonly OfFunction[]) => [...new Set(metrics.map(({ of }) => of))].join(', ');
const periodSeconds = 300;

/**
 * Steps report failures per message: an error of the function itself means that it does not run at all. The forwarder is not
 * among them: if its runs fail, or are not started, it is silent, which the alarm of each cluster notices sooner.
 */
export function alarmsOfFunctions(context: DeploymentContext): Alarm[] {
  const { service, name: deployment } = context;
  const running = Object.entries(service.functions).filter(([, block]) => !areRulesOff(block, context));
  const names = running.map(([name]) => name).filter((name) => name !== 'forward');
  const steps = names.filter((name) => queueOf(service.functions[name] ?? {}) !== undefined);
  const others = names.filter((name) => !steps.includes(name));
  const counted = (metric: 'Errors' | 'Throttles', functions: readonly string[]): OfFunction[] =>
    functions.map((of) => {
      return {
        of,
        namespace: 'AWS/Lambda',
        metric,
        dimensions: { FunctionName: `${deployment}-${of}` },
        statistic: 'Sum',
      };
    });
  const log = `/aws/lambda/${deployment}-<function>`;
  return [
    ...alarmsFor(counted('Errors', steps), (some) => ({
      id: 'StepErrors',
      name: 'step-errors',
      description: `Invocations of a function fail for a quarter of an hour: it is misconfigured, out of time or memory, or cannot reach what it needs. It is one of ${namesOf(some)}; the dashboard shows which, and its log says why: ${log}. See docs/recovery.md#a-function-is-faulty.`,
      above: 0,
      periodSeconds,
      periods: evenIfLate.persisting,
    })),
    ...alarmsFor(counted('Throttles', steps), (some) => ({
      id: 'StepThrottles',
      name: 'step-throttles',
      description: `AWS refuses to run a function for a quarter of an hour: the account's or the function's own limit of concurrent executions is reached. Nothing is lost, but it waits. It is one of ${namesOf(some)}. See docs/recovery.md#aws-throttles.`,
      above: 0,
      periodSeconds,
      periods: evenIfLate.persisting,
    })),
    // They run once an hour, once a day or by hand, so they cannot keep failing.
    ...alarmsFor([...counted('Errors', others), ...counted('Throttles', others)], (some) => ({
      id: 'RunErrors',
      name: 'run-errors',
      description: `A run of ${namesOf(some)} has failed, or AWS refused to start it, because another one was going on or the account's limit of concurrent executions is reached. Its log says why: ${log}. The next run of a schedule does the same work. See docs/recovery.md#a-function-is-faulty.`,
      above: 0,
      periodSeconds,
      periods: evenIfLate.once,
    })),
  ];
}
