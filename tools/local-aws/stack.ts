import {
  CloudFormationClient,
  type CloudFormationClientConfig,
  DescribeStackResourcesCommand,
  GetTemplateCommand,
  type StackResource,
} from '@aws-sdk/client-cloudformation';
import { LambdaClient, PutFunctionConcurrencyCommand } from '@aws-sdk/client-lambda';
import { DeleteBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';

export interface DeployedQueue {
  readonly url: string;
  readonly deadLetterUrl: string;
}

/** The deployed functions, by the names of the files in functions/. */
export interface DeployedStack {
  readonly stackName: string;
  readonly functionNames: Readonly<Record<string, string>>;
  readonly queues: Readonly<Record<string, DeployedQueue>>;
}

interface Connection {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: NonNullable<CloudFormationClientConfig['credentials']>;
}

export async function stackResources(connection: Connection, stackName: string): Promise<StackResource[]> {
  const client = new CloudFormationClient(connection);
  try {
    return (await client.send(new DescribeStackResourcesCommand({ StackName: stackName }))).StackResources ?? [];
  } finally {
    client.destroy();
  }
}

export function namedResources(
  stackName: string,
  resources: readonly StackResource[],
): Omit<DeployedStack, 'stackName'> {
  const physical = (type: string): string[] =>
    resources.filter((resource) => resource.ResourceType === type).map((resource) => resource.PhysicalResourceId ?? '');
  const urls = physical('AWS::SQS::Queue');
  const functionNames: Record<string, string> = {};
  const queues: Record<string, DeployedQueue> = {};
  for (const functionName of physical('AWS::Lambda::Function')) {
    const name = functionName.slice(stackName.length + 1);
    functionNames[name] = functionName;
    const url = urls.find((each) => each.endsWith(`/${functionName}.fifo`));
    const deadLetterUrl = urls.find((each) => each.endsWith(`/${functionName}-dead-letters.fifo`));
    if (url !== undefined && deadLetterUrl !== undefined) queues[name] = { url, deadLetterUrl };
  }
  return { functionNames, queues };
}

interface Template {
  readonly Resources: Record<
    string,
    { readonly Properties?: { readonly FunctionName?: string; readonly ReservedConcurrentExecutions?: number } }
  >;
}

/**
 * The local AWS enforces the policies that refuse connections without TLS, and does not support TLS: only without them
 * the archive is written and messages are accepted. Other statements of a policy stay.
 */
export async function letPlainHttpIn(connection: Connection, stackName: string): Promise<void> {
  const s3 = new S3Client({ ...connection, forcePathStyle: true });
  const sqs = new SQSClient(connection);
  try {
    const resources = await stackResources(connection, stackName);
    const physical = (type: string) =>
      resources.flatMap(({ ResourceType, PhysicalResourceId = '' }) =>
        ResourceType === type ? PhysicalResourceId : [],
      );
    for (const Bucket of physical('AWS::S3::Bucket')) await s3.send(new DeleteBucketPolicyCommand({ Bucket }));
    await Promise.all(physical('AWS::SQS::Queue').map((url) => letPlainHttpIntoQueue(sqs, url)));
  } finally {
    s3.destroy();
    sqs.destroy();
  }
}

async function letPlainHttpIntoQueue(client: SQSClient, QueueUrl: string): Promise<void> {
  const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['Policy'] });
  const { Attributes = {} } = await client.send(asked);
  if (!Attributes.Policy) return;
  const policy: { Statement: { Sid?: string }[] } = JSON.parse(Attributes.Policy);
  const Statement = policy.Statement.filter(({ Sid }) => Sid !== 'OnlyEncryptedConnections');
  const Policy = Statement.length > 0 ? JSON.stringify({ ...policy, Statement }) : '';
  await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }));
}

/** The local CloudFormation ignores the reserved concurrency of a function, while its Lambda enforces it. */
export async function reserveConcurrency(connection: Connection, stackName: string): Promise<void> {
  const cloudFormation = new CloudFormationClient(connection);
  const lambda = new LambdaClient(connection);
  try {
    const { TemplateBody = '' } = await cloudFormation.send(new GetTemplateCommand({ StackName: stackName }));
    const template: Template = JSON.parse(TemplateBody);
    for (const { Properties = {} } of Object.values(template.Resources)) {
      const { FunctionName, ReservedConcurrentExecutions } = Properties;
      if (FunctionName === undefined || ReservedConcurrentExecutions === undefined) continue;
      await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions }));
    }
  } finally {
    cloudFormation.destroy();
    lambda.destroy();
  }
}
