import { CloudWatchLogsClient, type FilteredLogEvent, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { nameOfFunction, type TestStack } from '../support/deployed-stack.ts';

/** One run of the forwarder that is over: only then its log is there. */
export interface Run {
  startedAt: Date;
  /** From when to when it had the lease, and who had given it away or had died with it. */
  led: { from: Date; to: Date; after: string } | undefined;
  /** Undefined of a run that never came to its end. */
  outcome: string | undefined;
  errors: string[];
}

interface Line {
  time: string;
  level: string;
  message: string;
  outcome?: string;
  from?: string;
  error?: string;
}

/** The runs that began since then, in the order in which they began. */
export async function readRuns(deployed: TestStack, since: Date): Promise<Run[]> {
  const client = new CloudWatchLogsClient(deployed.settings);
  const byStream = new Map<string, FilteredLogEvent[]>();
  try {
    const logGroupName = `/aws/lambda/${nameOfFunction(deployed, 'forward')}`;
    for await (const { events } of paginateFilterLogEvents({ client }, { logGroupName })) {
      // Each run has a stream of its own.
      for (const event of events ?? []) {
        byStream.set(event.logStreamName ?? '', [...(byStream.get(event.logStreamName ?? '') ?? []), event]);
      }
    }
  } finally {
    client.destroy();
  }
  const runs = [...byStream.values()].flatMap((events) => runOf(events));
  return runs
    .filter(({ startedAt }) => startedAt >= since)
    .sort((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
}

function runOf(events: FilteredLogEvent[]): Run[] {
  const lines = events.flatMap(({ message = '' }) => parse(message));
  const [first] = lines;
  if (!first) return [];
  const [taken, over] = ['lease taken', 'run over'].map((message) => lines.find((line) => line.message === message));
  const to = new Date(over?.time ?? first.time);
  const errors = lines.flatMap(({ level, message, error }) => (level === 'error' ? [`${message}: ${error}`] : []));
  const led = taken && { from: new Date(taken.time), to, after: taken.from ?? '' };
  return [{ startedAt: new Date(first.time), led, outcome: over?.outcome, errors: [...new Set(errors)] }];
}

/** Lambda itself writes lines as well, which are no JSON. */
function parse(text: string): Line[] {
  const start = text.indexOf('{"time"');
  return start < 0 ? [] : [JSON.parse(text.slice(start)) as Line];
}
