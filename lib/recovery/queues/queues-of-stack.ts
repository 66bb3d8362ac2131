import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import type { StackFacts } from './intrinsic-functions.ts';
import { queueNamesIn, queuesIn, type Template, type WantedQueue } from './queues-of-template.ts';

export interface StackQueues {
  wanted: WantedQueue[];
  /** CloudFormation gives these to each resource of the stack. */
  tags: Record<string, string>;
}

/** The queues that a stack was deployed with, whether or not they still exist. */
export async function queuesOfStack(StackName: string, client = new CloudFormationClient()): Promise<StackQueues> {
  const { TemplateBody = '' } = await client.send(new GetTemplateCommand({ StackName }));
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  const template: Template = JSON.parse(TemplateBody);
  const [, partition = '', , region = '', account = ''] = (stack?.StackId ?? '').split(':');
  const resources = await resourcesOf(StackName, client);
  const queueNames = queueNamesIn(template);
  const wanted = queuesIn(template, { partition, region, account, resources, queueNames });
  const tags = Object.fromEntries((stack?.Tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value]));
  return { wanted, tags };
}

/** Page by page: a complete deployment has more resources than AWS returns in one response. */
async function resourcesOf(StackName: string, client: CloudFormationClient): Promise<StackFacts['resources']> {
  const resources = new Map<string, { type: string; physicalId: string }>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
    for (const { LogicalResourceId = '', ResourceType = '', PhysicalResourceId = '' } of StackResourceSummaries) {
      resources.set(LogicalResourceId, { type: ResourceType, physicalId: PhysicalResourceId });
    }
  }
  return resources;
}
