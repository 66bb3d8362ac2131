import { type Failures, failureWords, type ReadPage, readFailures } from '../../lib/recovery/dead-letters/failures.ts';
import { idsOf, type Letter } from '../../lib/recovery/dead-letters/letter.ts';
import type { DeployedQueue } from '../../lib/recovery/deployment/deployment.ts';
import { errorText } from '../../lib/runtime/error-text.ts';
import { openFunctionLogs } from '../function-logs.ts';

/**
 * A letter says when it became one. Before that come its deliveries, in about 36 minutes, and 15 minutes of rest after the last
 * one where a former release has failed; queues that are busy and clocks that differ have the remainder.
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
  const { close, read } = await openFunctionLogs();
  const readPage: ReadPage = (logGroupName, from, nextToken) =>
    read({ logGroupName, startTime: from.getTime(), filterPattern: `"${failureWords}"`, nextToken });
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
      problems.push(`the log ${group} cannot be read: ${errorText(error)}`);
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

function earliestOf(letters: readonly Letter[]): Date {
  const earliestMs = letters.reduce((ms, { sentAt }) => Math.min(ms, sentAt.getTime()), Number.POSITIVE_INFINITY);
  return new Date(earliestMs - failingMs);
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
