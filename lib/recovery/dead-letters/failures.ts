import type { FilterLogEventsCommandOutput } from '@aws-sdk/client-cloudwatch-logs';
import { pagesOf } from '../../runtime/pages.ts';
import { fieldsOfLine } from '../log-line.ts';

/** What a function logged of the failures of one message. */
export interface Failures {
  first: Date;
  last: Date;
  /** Of the last one. */
  error: string;
}

/** One page of lines of a log group that have the words of a failure in them, from a moment on. */
export type ReadPage = (
  group: string,
  from: Date,
  token: string | undefined,
) => Promise<Pick<FilterLogEventsCommandOutput, 'events' | 'nextToken'>>;

/** The words that functions log a failure with (`lib/reconcile/delivery-log.ts`). */
export const failureWords = 'message failed';

/** A log of a month may be large, and there is no way to ask for its end. */
const maxMs = 20_000;

export interface ReadOptions {
  signal?: AbortSignal | undefined;
  elapsedMs?: () => number;
}

/** Reads the failures of messages, by their ids, as far as there is time; answers whether it came to the end. */
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
  if (line.message !== failureWords || typeof line.messageId !== 'string') return;
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
