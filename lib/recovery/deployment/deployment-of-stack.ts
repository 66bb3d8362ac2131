import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { errorText } from '../../runtime/error-text.ts';
import { type DeployedQueue, type Deployment, UnknownDeployment } from './deployment.ts';

const deadLetters = 'DeadLetterQueueUrl';
const queue = 'QueueUrl';

/** Reads the outputs of a stack that serverless.yml deployed. */
export async function deploymentOfStack(name: string, client = new CloudFormationClient()): Promise<Deployment> {
  const outputs = await outputsOf(name, client);
  const queues: Record<string, DeployedQueue> = {};
  for (const [output, deadLetterUrl] of outputs) {
    if (!output.endsWith(deadLetters)) continue;
    const prefix = output.slice(0, -deadLetters.length);
    const url = outputs.get(`${prefix}${queue}`);
    if (url) queues[inKebabCase(prefix)] = { url, deadLetterUrl };
  }
  if (Object.keys(queues).length === 0) {
    throw new UnknownDeployment(`the stack ${name} has no queues among its outputs: it does not belong to Longshore`);
  }
  const clusters = namesIn(outputs.get('ClusterNames'));
  return { name, queues, archive: outputs.get('ArchiveBucketName'), clusters };
}

async function outputsOf(name: string, client: CloudFormationClient): Promise<Map<string, string>> {
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    return new Map((stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  } catch (cause) {
    const problem = errorText(cause);
    throw new UnknownDeployment(
      `the stack ${name} cannot be read: ${problem.replace(/\.+$/, '')}. Check the stage, the region (AWS_REGION), the keys, and whether AWS can be reached from here`,
      { cause },
    );
  }
}

/** Older deployments have no such output. */
function namesIn(text: string | undefined): string[] | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as string[]);
}

function inKebabCase(name: string): string {
  return name.replaceAll(/(?<!^)[A-Z]/g, '-$&').toLowerCase();
}
