import { type ChangeTrace, traceparentOf } from '../../../../runtime/tracing.ts';
import type { Failure } from '../driver.ts';
import { classify, fail, isRefusal, StoreError } from './errors.ts';

export type Clock = () => number;

/** Starts one request to a store, which is named by the permission that it needs. */
export type Call = <Answer>(action: string, start: (options: CallOptions) => Promise<Answer>) => Promise<Answer>;

export interface CallOptions {
  abortSignal: AbortSignal;
  /** The trace that the request is part of, and its own span. */
  traceparent?: string;
}

const maxMs = 60_000;

/** Whether any request so far may have made or changed something. */
export interface Effects {
  mayHaveChanged: boolean;
}

/** Nothing is started after the deadline, and what was started before is waited for no longer. */
export function callUntil(deadline: number, clock: Clock, effects: Effects, change?: ChangeTrace): Call {
  return async (action, start) => {
    const remaining = deadline - clock();
    if (remaining <= 0) throw fail('unavailable', `There was no time left for ${action}: it will be retried`);
    try {
      // A timer takes whole milliseconds alone.
      const abortSignal = AbortSignal.timeout(Math.ceil(Math.min(remaining, maxMs)));
      const answer = await start({ abortSignal, ...(change ? { traceparent: traceparentOf(change) } : {}) });
      if (!isQuestion(action)) effects.mayHaveChanged = true;
      return answer;
    } catch (error) {
      if (!isQuestion(action) && !isRefusal(error)) effects.mayHaveChanged = true;
      throw classify(error, action);
    }
  };
}

function isQuestion(action: string): boolean {
  return /^\w+:(Get|List)/.test(action);
}

/** The answer, or undefined where the store says one of these: what is gone already, or is there already. */
export async function unless<Answer>(expected: string[], answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StoreError && expected.includes(error.code)) return undefined;
    throw error;
  }
}

/** Which of these the store says instead of doing it; undefined when it has done it. */
export async function refusal(expected: string[], answer: Promise<unknown>): Promise<string | undefined> {
  try {
    await answer;
    return undefined;
  } catch (error) {
    if (error instanceof StoreError && expected.includes(error.code)) return error.code;
    throw error;
  }
}

/** Makes an outcome of what a store refused. Mistakes of our own stay what they are. */
export async function outcomeOf<Outcome>(work: () => Promise<Outcome>): Promise<Outcome | Failure> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) return error.failure;
    throw error;
  }
}
