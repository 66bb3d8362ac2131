import type { DeployedQueue } from '../../lib/deployment/deployment.ts';
import { type Failures, failureWords, type ReadPage, readFailures } from '../../lib/recovery/dead-letters/failures.ts';
import { idsOf, type Letter } from '../../lib/recovery/dead-letters/letter.ts';

/**
 * A letter says when it became one. Before that come its deliveries, in about 35 minutes, and up to 15 minutes of rest after
 * the last one; queues that are busy and clocks that differ have the remainder.
 */
const failingMs = 90 * 60_000;

export interface Logged {
  /** By the ids of messages. */
  failures: ReadonlyMap<string, Failures>;
  /** What could not be read, and why. */
  problems: string[];
}

/** What the functions have logged of the failures of these letters, as far as the operator may read it. */
export async function readLogs(
  letters: readonly Letter[],
  queues: Readonly<Record<string, DeployedQueue>>,
  signal: AbortSignal,
): Promise<Logged> {
  // A request that was refused says its reason itself.
  const unexplained = letters.filter(({ reason }) => reason === undefined);
  if (unexplained.length === 0) return { failures: new Map(), problems: [] };
  const { close, readPage } = await openLogs();
  const failures = new Map<string, Failures>();
  const problems: string[] = [];
  const byFunction = [...Map.groupBy(unexplained, (letter) => letter.function)];
  const reading = byFunction.map(async ([name, theirs]) => {
    const group = logGroupOf(queues[name]);
    try {
      const found = await readFailures(readPage, group, earliestOf(theirs), { signal });
      for (const [id, each] of found.failures) failures.set(id, each);
      if (!found.isWhole) problems.push(`the log ${group} is long and was not read to its end`);
    } catch (error) {
      problems.push(`the log ${group} cannot be read: ${error instanceof Error ? error.message : error}`);
    }
  });
  await Promise.all(reading);
  close();
  return { failures, problems };
}

export function failuresOf(letter: Letter, { failures }: Logged): Failures | undefined {
  return idsOf(letter)
    .map((id) => failures.get(id))
    .find((each) => each !== undefined);
}

/** Loaded when it is needed: most commands do without. */
async function openLogs(): Promise<{ readPage: ReadPage; close: () => void }> {
  const { CloudWatchLogsClient, FilterLogEventsCommand, ResourceNotFoundException } = await import(
    '@aws-sdk/client-cloudwatch-logs'
  );
  const client = new CloudWatchLogsClient();
  const readPage: ReadPage = async (logGroupName, from, nextToken) => {
    const question = { logGroupName, startTime: from.getTime(), filterPattern: `"${failureWords}"` };
    try {
      return await client.send(new FilterLogEventsCommand({ ...question, nextToken }));
    } catch (error) {
      // A function that has never run has no log.
      if (error instanceof ResourceNotFoundException) return {};
      throw error;
    }
  };
  return { readPage, close: () => client.destroy() };
}

function earliestOf(letters: readonly Letter[]): Date {
  return new Date(Math.min(...letters.map(({ sentAt }) => sentAt.getTime())) - failingMs);
}

/** A function and its queue have the same name. */
function logGroupOf(queue: DeployedQueue | undefined): string {
  const name =
    queue?.url
      .split('/')
      .at(-1)
      ?.replace(/\.fifo$/, '') ?? '';
  return `/aws/lambda/${name}`;
}
