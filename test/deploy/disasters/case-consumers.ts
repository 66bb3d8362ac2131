import { ListEventSourceMappingsCommand, UpdateEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import { nameOfFunction, type TestStack } from '../../support/deployed-stack.ts';

/** Messages stay on their queue from now on, as they do when their function is not there. */
export async function stopConsuming(deployed: TestStack, functionName: string): Promise<void> {
  const { lambda } = deployed;
  const FunctionName = nameOfFunction(deployed, functionName);
  const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({ FunctionName }));
  for (const { UUID } of EventSourceMappings) {
    await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: false }));
  }
}
