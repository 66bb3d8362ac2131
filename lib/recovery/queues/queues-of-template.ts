import { resolve, type StackFacts } from './intrinsic-functions.ts';

/** The parts of a template that are read here. */
export interface Template {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

/** A queue as the template defines it. */
export interface WantedQueue {
  name: string;
  /** In the form of SQS, including the policy. */
  attributes: Record<string, string>;
}

const queueType = 'AWS::SQS::Queue';

export function queueNamesIn({ Resources }: Template): Map<string, string> {
  const queues = Object.entries(Resources).filter(([, { Type }]) => Type === queueType);
  return new Map(queues.map(([id, { Properties }]) => [id, String(Properties?.QueueName)]));
}

/** All queues of the template, each after its dead-letter queue. */
export function queuesIn(template: Template, facts: StackFacts): WantedQueue[] {
  const queues = [...queueNamesIn(template)].map(([id, name]) => {
    const { QueueName: _, Tags: __, ...properties } = template.Resources[id]?.Properties ?? {};
    const policy = policyOf(id, template, facts);
    const attributes = Object.entries({ ...properties, ...(policy ? { Policy: policy } : {}) }).map(([key, value]) => {
      const text = resolve(value, facts);
      return [key, typeof text === 'object' ? JSON.stringify(text) : String(text)];
    });
    return { name, attributes: Object.fromEntries(attributes) as Record<string, string> };
  });
  return queues.sort((one, other) => Number(hasTarget(one)) - Number(hasTarget(other)));
}

function hasTarget({ attributes }: WantedQueue): boolean {
  return attributes.RedrivePolicy !== undefined;
}

/** A policy is a separate resource, which names its queues by their logical ids. */
function policyOf(id: string, { Resources }: Template, facts: StackFacts): unknown {
  const policies = Object.values(Resources).filter(({ Type }) => Type === 'AWS::SQS::QueuePolicy');
  const own = policies.find(({ Properties }) => JSON.stringify(Properties?.Queues ?? []).includes(`{"Ref":"${id}"}`));
  return own && resolve(own.Properties?.PolicyDocument, facts);
}
