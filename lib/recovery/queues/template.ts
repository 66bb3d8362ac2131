import { resolved, type StackFacts } from './intrinsics.ts';

/** As far as a template is of interest here. */
export interface Template {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

/** A queue as the template wants it. */
export interface WantedQueue {
  name: string;
  /** As SQS takes them, the policy included. */
  attributes: Record<string, string>;
}

const queueType = 'AWS::SQS::Queue';

export function queueNamesIn({ Resources }: Template): Map<string, string> {
  const queues = Object.entries(Resources).filter(([, { Type }]) => Type === queueType);
  return new Map(queues.map(([id, { Properties }]) => [id, String(Properties?.QueueName)]));
}

/** All queues of the template; each comes after the one to which its dead letters go. */
export function queuesIn(template: Template, facts: StackFacts): WantedQueue[] {
  const queues = [...queueNamesIn(template)].map(([id, name]) => {
    const { QueueName: _, Tags: __, ...properties } = template.Resources[id]?.Properties ?? {};
    const policy = policyOf(id, template, facts);
    const attributes = Object.entries({ ...properties, ...(policy ? { Policy: policy } : {}) }).map(([key, value]) => {
      const text = resolved(value, facts);
      return [key, typeof text === 'object' ? JSON.stringify(text) : String(text)];
    });
    return { name, attributes: Object.fromEntries(attributes) as Record<string, string> };
  });
  return queues.sort((one, other) => Number(hasTarget(one)) - Number(hasTarget(other)));
}

function hasTarget({ attributes }: WantedQueue): boolean {
  return attributes.RedrivePolicy !== undefined;
}

/** A policy is a resource of its own, which names its queues by their logical ids. */
function policyOf(id: string, { Resources }: Template, facts: StackFacts): unknown {
  const policies = Object.values(Resources).filter(({ Type }) => Type === 'AWS::SQS::QueuePolicy');
  const own = policies.find(({ Properties }) => JSON.stringify(Properties?.Queues ?? []).includes(`{"Ref":"${id}"}`));
  return own && resolved(own.Properties?.PolicyDocument, facts);
}
