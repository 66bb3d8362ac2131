import * as v from 'valibot';
import { clippedText } from '../runtime/clipped-text.ts';

/** What fails now, as the holder of a lease writes it there. */
const failing = v.object({
  function: v.string(),
  kind: v.optional(v.string()),
  key: v.optional(v.string()),
  reason: v.string(),
  error: v.string(),
  since: v.string(),
  attempts: v.number(),
  /** The time of the next attempt, unless one is in progress. */
  next: v.optional(v.string()),
});

const status = v.object({
  /** The holder that wrote it: another one's says nothing of the present. */
  holder: v.string(),
  release: v.string(),
  /** What the process calls the cluster. */
  cluster: v.string(),
  capabilities: v.array(v.string()),
  /** Everything has been listed, and changes are followed. */
  isFollowing: v.boolean(),
  lagSeconds: v.number(),
  unfinished: v.number(),
  /** The oldest ones; `failingCount` counts all. */
  failing: v.array(failing),
  failingCount: v.number(),
  /** Why its last term ended, if it failed. */
  failure: v.optional(v.object({ at: v.string(), error: v.string() })),
  /** The requests to try objects at once, with the number of messages that each has become. */
  retried: v.array(v.object({ id: v.string(), messages: v.number() })),
});

export type FailingNow = v.InferOutput<typeof failing>;
export type LeaderStatus = v.InferOutput<typeof status>;

/** A Lease is written every two seconds, so it stays small. */
const maxBytes = 8 * 1024;
const maxErrorLength = 300;
/** So many are shown. */
export const maxFailing = 20;

export function formatLeaderStatus(given: LeaderStatus): string {
  const { failure } = given;
  const shortened = {
    ...given,
    ...(failure ? { failure: { ...failure, error: clippedText(failure.error, maxErrorLength) } } : {}),
    failing: given.failing
      .slice(0, maxFailing)
      .map((each) => ({ ...each, error: clippedText(each.error, maxErrorLength) })),
  };
  let text = JSON.stringify(shortened);
  while (Buffer.byteLength(text) > maxBytes && shortened.failing.pop()) text = JSON.stringify(shortened);
  return text;
}

/** Undefined if it is none, or one of a later release that has changed its form. */
export function parseLeaderStatus(text: string | undefined): LeaderStatus | undefined {
  if (text === undefined) return undefined;
  try {
    const parsed = v.safeParse(status, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
