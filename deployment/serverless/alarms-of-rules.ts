import { type Alarm, alarmsFor, evenIfLate } from './alarm.ts';
import type { DeploymentContext } from './deployment-context.ts';
import { areRulesOff } from './rules.ts';

/** Events that EventBridge could not deliver are kept, and are lost only if that fails too. */
export function alarmsOfRules(context: DeploymentContext): Alarm[] {
  const blocks = Object.values(context.service.functions).filter((block) => !areRulesOff(block, context));
  const rules = blocks.flatMap((block) => Object.keys(block.rules ?? {}));
  const metrics = rules.map((id) => ({
    namespace: 'AWS/Events' as const,
    metric: 'InvocationsFailedToBeSentToDlq',
    dimensions: { RuleName: { Ref: id } },
    statistic: 'Sum' as const,
  }));
  return alarmsFor(metrics, () => ({
    id: 'LostEvents',
    name: 'lost-events',
    description:
      'EventBridge could put events neither on their queue nor on the queue undelivered-events, and they are lost. Both queues, their policies, or the policy of their key have been changed or deleted. See docs/bucket-requests.md#events-that-were-not-delivered.',
    above: 0,
    periodSeconds: 300,
    periods: evenIfLate.once,
  }));
}
