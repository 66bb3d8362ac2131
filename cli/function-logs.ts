import type { FilterLogEventsCommandInput, FilterLogEventsCommandOutput } from '@aws-sdk/client-cloudwatch-logs';

type Question = Pick<
  FilterLogEventsCommandInput,
  'logGroupName' | 'startTime' | 'endTime' | 'filterPattern' | 'nextToken'
>;

export interface FunctionLogs {
  /** Reads one page of matching lines. */
  read(question: Question): Promise<Pick<FilterLogEventsCommandOutput, 'events' | 'nextToken'>>;
  close(): void;
}

/** The logs of functions, with the operator's own credentials. The client is loaded on demand: most commands do not need it. */
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
