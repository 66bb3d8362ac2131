import { type DeadLetter, idsOf } from '../../lib/recovery/dead-letters/dead-letter.ts';
import {
  type Failures,
  failureMessage,
  type ReadPage,
  readFailures,
} from '../../lib/recovery/dead-letters/logged-failures.ts';
import type { DeployedQueue } from '../../lib/recovery/deployment/deployment.ts';
import { errorText } from '../../lib/runtime/error-text.ts';
import { openFunctionLogs } from '../function-logs.ts';

/**
 * A dead letter records when it became one. Its deliveries took about 36 minutes before that, and where a former release
 * failed, it rested 15 minutes after the last one; the remainder allows for busy queues and clock skew.
 */
const failingMs = 90 * 60_000;

export interface Logged {
  /** By the ids of messages. */
  failures: ReadonlyMap<string, Failures>;
  /** What could not be read, and why. */
  problems: string[];
}

/** Reads what the functions logged about the failures of these dead letters, as far as the operator may. */
export async function readLogs(
  deadLetters: readonly DeadLetter[],
  queues: Readonly<Record<string, DeployedQueue>>,
  signal: AbortSignal,
): Promise<Logged> {
  // A refused request carries its reason.
  const unexplained = deadLetters.filter(({ reason }) => reason === undefined);
  if (unexplained.length === 0) return { failures: new Map(), problems: [] };
  const { close, read } = await openFunctionLogs();
  const readPage: ReadPage = (logGroupName, from, nextToken) =>
    read({ logGroupName, startTime: from.getTime(), filterPattern: `"${failureMessage}"`, nextToken });
  const failures = new Map<string, Failures>();
  const problems: string[] = [];
  const byFunction = [...Map.groupBy(unexplained, (deadLetter) => deadLetter.function)];
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

export function failuresOf(deadLetter: DeadLetter, { failures }: Logged): Failures | undefined {
  return idsOf(deadLetter)
    .map((id) => failures.get(id))
    .find((each) => each !== undefined);
}

function earliestOf(deadLetters: readonly DeadLetter[]): Date {
  const earliestMs = deadLetters.reduce((ms, { sentAt }) => Math.min(ms, sentAt.getTime()), Number.POSITIVE_INFINITY);
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
