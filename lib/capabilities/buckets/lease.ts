import type { BucketContent } from './objects.ts';

/**
 * A store has no preconditions: a slow worker could create a key after another has revoked all access. So a caller of
 * the store holds the content's lease, and starts nothing after the lease's deadline. Another worker waits until the
 * lease has expired, which is later than the end of anything that the first one may have started.
 */
export interface Lease {
  holder: string;
  until: string;
}

const lastsMs = 60_000;
/** A call ends well before the function's own timeout: its results can then still be recorded. */
const callMs = 12_000;
/** Between the end of a call and the end of the lease: requests in flight reach the store within it. */
const marginMs = 10_000;

export function leaseFor(holder: string, now: Date): Lease {
  return { holder, until: new Date(now.getTime() + lastsMs).toISOString() };
}

/** True if the store had never been called before this lease was taken. */
export function isFirst({ spec, status }: BucketContent): boolean {
  const { lease, startedAt } = status ?? {};
  if (!lease || !startedAt || spec.secretRef) return false;
  return Date.parse(lease.until) - Date.parse(startedAt) === lastsMs;
}

/** Held by another worker, which may be active. */
export function isTaken({ status }: BucketContent, holder: string, now: Date): boolean {
  const { lease } = status ?? {};
  return lease !== undefined && lease.holder !== holder && Date.parse(lease.until) > now.getTime();
}

/** The deadline of a call that begins now; undefined if the lease is not held for long enough. */
export function deadlineOf({ status }: BucketContent, holder: string, now: Date): number | undefined {
  const { lease } = status ?? {};
  if (lease?.holder !== holder) return undefined;
  const deadline = now.getTime() + callMs;
  return Date.parse(lease.until) - deadline >= marginMs ? deadline : undefined;
}
