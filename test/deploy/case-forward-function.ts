import { join } from 'node:path';
import {
  GetFunctionConcurrencyCommand,
  GetFunctionConfigurationCommand,
  InvokeCommand,
  PutFunctionConcurrencyCommand,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { withLock } from '../../tools/cache/lock.ts';
import { clusterName } from '../../tools/local/local-stack.ts';
import { nameOfFunction, type TestStack } from '../support/deployed-stack.ts';

/** Whoever stops the forwarder, or counts its runs, has it alone: other files of this project may do so as well. */
export function alone<T>({ localAws }: TestStack, work: () => Promise<T>): Promise<T> {
  return withLock(join(localAws.folder, 'forwarder.lock'), work);
}

/** Starts a run, as the schedule does each minute. */
export async function startRun(deployed: TestStack): Promise<void> {
  const FunctionName = nameOfFunction(deployed, 'forward');
  const Payload = JSON.stringify({ cluster: clusterName });
  await deployed.lambda.send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload }));
}

/** Does work while runs have another time limit than they were deployed with. Each change of it ends the runs there are. */
export async function withTimeLimit<T>(deployed: TestStack, seconds: number, work: () => Promise<T>): Promise<T> {
  const FunctionName = nameOfFunction(deployed, 'forward');
  const { Timeout } = await deployed.lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
  await deployed.lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Timeout: seconds }));
  try {
    return await work();
  } finally {
    await deployed.lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Timeout }));
    await startRun(deployed);
  }
}

/** Does work while nothing is forwarded. Other files of this project need a forwarder, whatever becomes of the work. */
export async function whileNoneRuns<T>(deployed: TestStack, work: () => Promise<T>): Promise<T> {
  const FunctionName = nameOfFunction(deployed, 'forward');
  const { lambda } = deployed;
  const limitRuns = (ReservedConcurrentExecutions: number) =>
    lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions }));
  const before = await lambda.send(new GetFunctionConcurrencyCommand({ FunctionName }));
  // With none allowed, no new run can start.
  await limitRuns(0);
  try {
    // To give it memory, even as much as it has, ends the runs that are going on. They leave their lease to its end.
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, MemorySize: 512 }));
    return await work();
  } finally {
    await limitRuns(before.ReservedConcurrentExecutions ?? 0);
    await startRun(deployed);
  }
}
