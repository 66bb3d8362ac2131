import {
  CloudFormationClient,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import type { StackFacts } from './intrinsics.ts';
import { queueNamesIn, queuesIn, type Template, type WantedQueue } from './template.ts';

export interface StackQueues {
  wanted: WantedQueue[];
  /** What CloudFormation gives to each resource of the stack. */
  tags: Record<string, string>;
}

/** The queues that a stack was deployed with, whether they are still there or not. */
export async function queuesOfStack(StackName: string, client = new CloudFormationClient()): Promise<StackQueues> {
  const { TemplateBody = '' } = await client.send(new GetTemplateCommand({ StackName }));
  const { StackResources = [] } = await client.send(new DescribeStackResourcesCommand({ StackName }));
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  const template: Template = JSON.parse(TemplateBody);
  const [, partition = '', , region = '', account = ''] = (stack?.StackId ?? '').split(':');
  const resources: StackFacts['resources'] = new Map(
    StackResources.map(({ LogicalResourceId = '', ResourceType: type = '', PhysicalResourceId: physicalId = '' }) => [
      LogicalResourceId,
      { type, physicalId },
    ]),
  );
  const queueNames = queueNamesIn(template);
  const wanted = queuesIn(template, { partition, region, account, resources, queueNames });
  const tags = Object.fromEntries((stack?.Tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value]));
  return { wanted, tags };
}
