import {
  GetEventSourceMappingCommand,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { nameOfFunction, type TestStack } from '../support/deployed-stack.ts';
import { until } from '../support/patience.ts';

/** Messages stay on a function's queue meanwhile, as they do when the function is not there. */
export async function withoutConsumer(deployed: TestStack, name: string, work: () => Promise<void>): Promise<void> {
  await consume(deployed, name, false);
  try {
    await work();
  } finally {
    await consume(deployed, name, true);
  }
}

export async function consume(deployed: TestStack, name: string, Enabled: boolean): Promise<void> {
  const { lambda } = deployed;
  const FunctionName = nameOfFunction(deployed, name);
  const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({ FunctionName }));
  for (const { UUID } of EventSourceMappings) {
    await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
    const wanted = Enabled ? 'Enabled' : 'Disabled';
    await until(`the mapping is ${wanted}`, async () => {
      return (await lambda.send(new GetEventSourceMappingCommand({ UUID }))).State === wanted;
    });
  }
}
