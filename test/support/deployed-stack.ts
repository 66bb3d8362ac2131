import { LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { LocalStack } from '../../tools/local/local-stack.ts';
import { clientSettings } from '../../tools/local-aws/local-aws.ts';

export const variable = 'LONGSHORE_TEST_STACK';

export type Published = ReturnType<typeof published>;

/** What there is to be known of a stack for whoever uses it. */
export function published({ controlPlane, localAws, stack, deployment: { stage }, driver }: LocalStack) {
  const { stop: _, ...aws } = localAws;
  const snapshots = 'lacking' in driver ? { lacking: driver.lacking } : { folder: driver.folder };
  return { kubeconfigPath: controlPlane.kubeconfigPath, localAws: aws, stack, stage, snapshots };
}

/** The stack that is deployed for this project, with clients that have an administrator's keys. */
export function deployedStack() {
  const text = process.env[variable];
  if (!text) throw new Error(`${variable} is not set: run this with jest's project "deploy"`);
  return withClients(JSON.parse(text) as Published);
}

/** The same of a stack that a file has started for itself. */
export function testStackOf(local: LocalStack) {
  return withClients(published(local));
}

function withClients(found: Published) {
  const settings = clientSettings(found.localAws);
  return { ...found, settings, sqs: new SQSClient(settings), lambda: new LambdaClient(settings) };
}

export type TestStack = ReturnType<typeof deployedStack>;

export function queueOf({ stack }: TestStack, functionName: string) {
  const queue = stack.queues[functionName];
  if (!queue) throw new Error(`${functionName} has no queue`);
  return queue;
}

export function nameOfFunction({ stack }: TestStack, functionName: string): string {
  const name = stack.functionNames[functionName];
  if (!name) throw new Error(`${functionName} is not deployed`);
  return name;
}
