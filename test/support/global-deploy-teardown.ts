import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { removeStack } from '../../tools/local-aws/deploy.ts';
import { type Connectable, clientSettings } from '../../tools/local-aws/local-aws.ts';

/** That a deployment can be removed is seen here, as no test may come after it: what is left of it fails the run. */
export default async function tearDown(): Promise<void> {
  const { lending, starting } = globalThis.longshoreTestStack ?? {};
  lending?.stop();
  // One that did not start has told so to those that waited for it.
  const local = await starting?.()?.catch(() => undefined);
  if (!local) return;
  try {
    await removeStack(local.deployment);
    const left = await leftOf(local.stack.stackName, local.localAws);
    if (left.length > 0) throw new Error(`left after the stack was removed: ${left.join(', ')}`);
  } finally {
    await local.stop();
  }
}

async function leftOf(stackName: string, localAws: Connectable): Promise<string[]> {
  const lambda = new LambdaClient(clientSettings(localAws));
  const sqs = new SQSClient(clientSettings(localAws));
  try {
    const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: stackName }));
    return [...Functions.map(({ FunctionName = '' }) => FunctionName), ...QueueUrls];
  } finally {
    lambda.destroy();
    sqs.destroy();
  }
}
