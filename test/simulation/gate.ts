import { Violation } from './capability.ts';

/** A call that a worker has made and that has not been answered yet. */
export interface PendingCall {
  worker: number;
  verb: string;
  object: string;
  /** It goes elsewhere than to the cluster, such as to an object store. */
  outside: boolean;
  writes: boolean;
  /** What a patch carries. */
  body: object | undefined;
  /** The version of the object that a patch is for: the server refuses it when there is another one. */
  version: string | undefined;
  issuedAt: number;
  /** When its worker began: what was there then it has seen. */
  startedAt: number;
  /** What can befall it besides being answered or lost, or the death of its worker. */
  mayBe: readonly Manner[];
  /** Lets the call take effect, and answers it as told. */
  answer: (manner: Manner) => Promise<void>;
}

/**
 * How the network treats a call: it succeeds, is lost on the way there, or takes effect while its answer is lost, and the
 * worker either sees an error or dies with the call.
 */
export type Manner = 'ok' | 'stale' | 'lost before' | 'lost after' | 'conflict' | 'dies before' | 'dies after';

const reaching: readonly Manner[] = ['ok', 'stale', 'lost after', 'dies after'];

/** Makes a call outside the cluster wait like those to it. One that is lost is rejected with a `TimeoutError`. */
export type Gate = <T>(label: string, writes: boolean, act: () => Promise<T>) => Promise<T>;

/** Where the calls of one worker wait until the simulation lets them go on. */
export interface Lane {
  worker: number;
  startedAt: number;
  now: () => Date;
  enqueue: (call: PendingCall) => void;
  beforeWrite: (call: PendingCall) => void;
  afterWrite: (call: PendingCall) => void;
}

/** A call as it is made. */
export interface Calling<T> {
  verb: string;
  object: string;
  writes: boolean;
  body?: object | undefined;
  version?: string | undefined;
  act: () => Promise<T>;
  /** What an answer says that is out of date. */
  stale?: (() => T) | undefined;
  /** What the worker gets instead of an answer that does not come. */
  lost: () => Error;
  /** What the worker gets when somebody else was faster. */
  conflict?: () => Error;
}

export function gateOf(lane: Lane): Gate {
  return (label, writes, act) =>
    pass(lane, { verb: 'call', object: label, writes, act, lost: () => timeoutOf(label) }, true);
}

export function pass<T>(lane: Lane, calling: Calling<T>, outside = false): Promise<T> {
  const { verb, object, writes, body, version, stale, conflict } = calling;
  const mayBe: Manner[] = [...(stale ? ['stale' as const] : []), ...(conflict ? ['conflict' as const] : [])];
  return new Promise((resolve, reject) => {
    const call: PendingCall = {
      worker: lane.worker,
      verb,
      object,
      outside,
      writes,
      body,
      version,
      issuedAt: lane.now().getTime(),
      startedAt: lane.startedAt,
      mayBe,
      answer: async (manner) => {
        const result = reaching.includes(manner) ? await takeEffect(lane, call, calling.act) : undefined;
        // A worker that dies never sees an answer.
        if (manner === 'dies before' || manner === 'dies after') return;
        if (manner === 'stale' && stale) resolve(stale());
        else if (manner === 'conflict' && conflict) reject(conflict());
        else if (result === undefined || manner === 'lost after') reject(calling.lost());
        else if ('error' in result) reject(result.error);
        else resolve(result.value);
      },
    };
    lane.enqueue(call);
  });
}

async function takeEffect<T>(lane: Lane, call: PendingCall, act: () => Promise<T>) {
  if (call.writes) lane.beforeWrite(call);
  const result = await settle(act);
  if (call.writes) lane.afterWrite(call);
  return result;
}

async function settle<T>(act: () => Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await act() };
  } catch (error) {
    // A violation is no answer: a worker that saw it could go on as if nothing were wrong.
    if (error instanceof Violation) throw error;
    return { error };
  }
}

function timeoutOf(label: string): Error {
  return Object.assign(new Error(`${label}: the connection was lost`), { name: 'TimeoutError' });
}
