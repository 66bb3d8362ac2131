import { CloudFormationClient, DescribeStacksCommand, paginateDescribeStacks } from '@aws-sdk/client-cloudformation';
import { refusalOf } from './aws-refusals.ts';
import { type DeployedQueue, type Deployment, UnknownDeployment } from './deployment.ts';

const deadLetters = 'DeadLetterQueueUrl';
const queue = 'QueueUrl';

/** Reads the outputs of a stack that serverless.yml deployed. */
export async function deploymentOfStack(name: string, client = new CloudFormationClient()): Promise<Deployment> {
  const { outputs, stackId } = await stackNamed(name, client);
  const queues: Record<string, DeployedQueue> = {};
  for (const [output, deadLetterUrl] of outputs) {
    if (!output.endsWith(deadLetters)) continue;
    const prefix = output.slice(0, -deadLetters.length);
    const url = outputs.get(`${prefix}${queue}`);
    if (url) queues[inKebabCase(prefix)] = { url, deadLetterUrl };
  }
  if (Object.keys(queues).length === 0) {
    const others = await othersIn(client);
    throw new UnknownDeployment(
      `the stack ${name} has no queues among its outputs: it does not belong to Longshore${others ? `; ${others}` : ''}`,
    );
  }
  const clusters = namesIn(outputs.get('ClusterNames'));
  return { name, queues, archive: outputs.get('ArchiveBucketName'), clusters, identity: identityOf(name, stackId) };
}

interface Stack {
  outputs: Map<string, string>;
  stackId: string | undefined;
}

async function stackNamed(name: string, client: CloudFormationClient): Promise<Stack> {
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    const outputs = (stack?.Outputs ?? []).map(
      ({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue] as const,
    );
    return { outputs: new Map(outputs), stackId: stack?.StackId };
  } catch (cause) {
    const region = await client.config.region().catch(() => undefined);
    if (isNoSuchStack(cause)) {
      const others = await othersIn(client);
      const advice = others ?? 'check --stage, AWS_REGION and AWS_PROFILE';
      throw new UnknownDeployment(`there is no stack ${name} in ${region}: ${advice}`, { cause });
    }
    throw new UnknownDeployment(`the stack ${name} cannot be read: ${refusalOf(cause, region)}`, { cause });
  }
}

function isNoSuchStack(error: unknown): boolean {
  return error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message);
}

/** The deployments that there are, for whoever has named none of them; undefined if they may not be listed. */
async function othersIn(client: CloudFormationClient): Promise<string | undefined> {
  const names: string[] = [];
  try {
    for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {})) {
      for (const { StackName = '', Outputs = [] } of Stacks) {
        if (Outputs.some(({ OutputKey = '' }) => OutputKey.endsWith(deadLetters))) names.push(StackName);
      }
    }
  } catch {
    return undefined;
  }
  if (names.length === 0)
    return 'Longshore is not deployed in this region of this account: check AWS_REGION and AWS_PROFILE';
  return `the deployments here are ${names.join(', ')}: use --stack with one of them`;
}

/** As serverless.yml composes it; `arn:aws:cloudformation:<region>:<account>:stack/…` says where. */
function identityOf(name: string, stackId = ''): string | undefined {
  const [, , , region, account] = stackId.split(':');
  return region && account ? `${name}.${account}.${region}` : undefined;
}

/** Older deployments have no such output. */
function namesIn(text: string | undefined): string[] | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as string[]);
}

function inKebabCase(name: string): string {
  return name.replaceAll(/(?<!^)[A-Z]/g, '-$&').toLowerCase();
}
