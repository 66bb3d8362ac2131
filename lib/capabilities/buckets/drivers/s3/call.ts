import { type ChangeTrace, traceparentOf } from '../../../../runtime/tracing.ts';
import type { Failure } from '../driver.ts';
import { classify, fail, isRefusal, StoreError } from './errors.ts';

export type Clock = () => number;

/** Makes one request to a store. `action` is the permission that it needs. */
export type Call = <Answer>(action: string, start: (options: CallOptions) => Promise<Answer>) => Promise<Answer>;

export interface CallOptions {
  abortSignal: AbortSignal;
  /** The trace that the request is part of, and its own span. */
  traceparent?: string;
}

const maxCallMs = 60_000;

/** Records if any request so far may have changed something. */
export interface Effects {
  mayHaveChanged: boolean;
}

/** Starts nothing after the deadline, and stops waiting for requests then. */
export function callUntil(deadline: number, clock: Clock, effects: Effects, change?: ChangeTrace): Call {
  return async (action, start) => {
    const remaining = deadline - clock();
    if (remaining <= 0) throw fail('unavailable', `There was no time left for ${action}: it will be retried`);
    try {
      // A timer only accepts whole milliseconds.
      const abortSignal = AbortSignal.timeout(Math.ceil(Math.min(remaining, maxCallMs)));
      const answer = await start({ abortSignal, ...(change ? { traceparent: traceparentOf(change) } : {}) });
      if (!isRead(action)) effects.mayHaveChanged = true;
      return answer;
    } catch (error) {
      if (!isRead(action) && !isRefusal(error)) effects.mayHaveChanged = true;
      throw classify(error, action);
    }
  };
}

function isRead(action: string): boolean {
  return /^\w+:(Get|List)/.test(action);
}

/** The answer, or undefined if the store returns one of these codes, such as already deleted or already existing. */
export async function ignoring<Answer>(expected: string[], answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StoreError && expected.includes(error.code)) return undefined;
    throw error;
  }
}

/** The code that the store refused with, if it is one of these; undefined if it succeeded. */
export async function refusalCode(expected: string[], answer: Promise<unknown>): Promise<string | undefined> {
  try {
    await answer;
    return undefined;
  } catch (error) {
    if (error instanceof StoreError && expected.includes(error.code)) return error.code;
    throw error;
  }
}

/** Turns a store's error into an outcome. Other errors are rethrown. */
export async function outcomeOf<Outcome>(work: () => Promise<Outcome>): Promise<Outcome | Failure> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) return error.failure;
    throw error;
  }
}
