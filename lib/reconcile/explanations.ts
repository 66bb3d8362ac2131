import type { ListedReason } from './obstacle.ts';

/**
 * Who has to do something next:
 *
 * owner          whoever has written the object that reports the reason
 * other side     the owner of the object in the other namespace
 * administrator  somebody with permissions in the whole cluster, or in the store
 * cluster        a controller, a driver or a pod: wait, and look there if it takes long
 * Longshore      wait
 * nobody         it is done
 */
export type Turn = 'owner' | 'other side' | 'administrator' | 'cluster' | 'Longshore' | 'nobody';

export interface Advice {
  turn: Turn;
  /** What to do, in a sentence or two. */
  todo: string;
}

/** A capability's reasons, and the advice for those that people see. */
export interface ExplainedReasons {
  reasons: Readonly<Record<string, ListedReason>>;
  advice: Readonly<Partial<Record<string, Advice>>>;
  /** The document that says more. */
  document: string;
}

export interface Explanation extends Advice {
  capability: string;
  reason: string;
  means: string;
  shown: NonNullable<ListedReason['shown']> | 'condition';
  document: string;
}

const internal: Advice = { turn: 'Longshore', todo: 'Nothing: it is a note in the log.' };

/** The same word may be a reason of several capabilities, each with its own meaning. */
export function explanationsIn(lists: Readonly<Record<string, ExplainedReasons>>, reason: string): Explanation[] {
  return Object.entries(lists).flatMap(([capability, { reasons, advice, document }]) => {
    if (!Object.hasOwn(reasons, reason)) return [];
    const { means = '', shown = 'condition' } = reasons[reason] ?? {};
    return [{ capability, reason, means, shown, document, ...(advice[reason] ?? internal) }];
  });
}
