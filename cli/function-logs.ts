import type { FilterLogEventsCommandInput, FilterLogEventsCommandOutput } from '@aws-sdk/client-cloudwatch-logs';

type Question = Pick<
  FilterLogEventsCommandInput,
  'logGroupName' | 'startTime' | 'endTime' | 'filterPattern' | 'nextToken'
>;

export interface FunctionLogs {
  /** One page of the lines that a question is about. */
  read(question: Question): Promise<Pick<FilterLogEventsCommandOutput, 'events' | 'nextToken'>>;
  close(): void;
}

/** The logs of functions, by the operator's own keys. What reads them is loaded when it is needed: most calls do without. */
export async function openFunctionLogs(settings: { maxAttempts?: number } = {}): Promise<FunctionLogs> {
  const { CloudWatchLogsClient, FilterLogEventsCommand, ResourceNotFoundException } = await import(
    '@aws-sdk/client-cloudwatch-logs'
  );
  const client = new CloudWatchLogsClient(settings);
  const read: FunctionLogs['read'] = async (question) => {
    try {
      return await client.send(new FilterLogEventsCommand(question));
    } catch (error) {
      // A function that has never run has no log.
      if (error instanceof ResourceNotFoundException) return {};
      throw error;
    }
  };
  return { read, close: () => client.destroy() };
}
