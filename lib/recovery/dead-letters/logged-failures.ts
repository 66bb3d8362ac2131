import type { FilterLogEventsCommandOutput } from '@aws-sdk/client-cloudwatch-logs';
import { pagesOf } from '../../runtime/pages.ts';
import { fieldsOfLine } from '../function-log-line.ts';

/** The failures of one message, as a function logged them. */
export interface Failures {
  first: Date;
  last: Date;
  /** The error of the last one. */
  error: string;
}

/** Reads one page of the lines of a log group that contain `failureMessage`, from a time on. */
export type ReadPage = (
  group: string,
  from: Date,
  token: string | undefined,
) => Promise<Pick<FilterLogEventsCommandOutput, 'events' | 'nextToken'>>;

/** The message under which functions log a failure (`lib/reconcile/delivery-log.ts`). */
export const failureMessage = 'message failed';

/** A month's log may be large, and it cannot be read from its end. */
const maxMs = 20_000;

export interface ReadOptions {
  signal?: AbortSignal | undefined;
  elapsedMs?: () => number;
}

/** Reads the failures of messages, by message id, as far as time allows. `isWhole` if it reached the end. */
export async function readFailures(
  readPage: ReadPage,
  group: string,
  from: Date,
  { signal, elapsedMs = () => performance.now() }: ReadOptions = {},
): Promise<{ failures: Map<string, Failures>; isWhole: boolean }> {
  const failures = new Map<string, Failures>();
  const startMs = elapsedMs();
  const pages = pagesOf(
    (token) => readPage(group, from, token),
    ({ nextToken }) => nextToken,
  );
  for await (const { events = [], nextToken } of pages) {
    for (const { message = '', timestamp } of events) note(failures, message, new Date(timestamp ?? 0));
    const isOver = elapsedMs() - startMs >= maxMs || signal?.aborted;
    if (isOver && nextToken) return { failures, isWhole: false };
  }
  return { failures, isWhole: true };
}

function note(failures: Map<string, Failures>, text: string, at: Date): void {
  const line = fieldsOfLine(text);
  if (line.message !== failureMessage || typeof line.messageId !== 'string') return;
  const before = failures.get(line.messageId);
  const isLast = !before || at >= before.last;
  failures.set(line.messageId, {
    first: before && before.first < at ? before.first : at,
    last: isLast ? at : before.last,
    error: isLast ? errorIn(line) : before.error,
  });
}

function errorIn({ error }: Record<string, unknown>): string {
  if (typeof error === 'string') return error;
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
  return typeof message === 'string' ? message : 'unknown';
}
