import { crowdedReason } from '../reconcile/crowded.ts';
import type { ListedReason } from '../reconcile/obstacle.ts';
import { pending } from '../reconcile/ready.ts';
import { bucketReasons } from './buckets/reasons.ts';
import { requestReasons } from './buckets/requests/reasons.ts';
import { toDoAboutRequests } from './buckets/requests/what-to-do.ts';
import { toDoAboutBuckets } from './buckets/what-to-do.ts';
import { dataReasons } from './data-sources/reasons.ts';
import { toDoAboutData } from './data-sources/what-to-do.ts';
import { transferReasons } from './transfers/reasons.ts';
import { toDoAboutTransfers } from './transfers/what-to-do.ts';

/** What a reason means, and what a person can do about it. */
export interface Explanation {
  /** What it is about: the same word may be a reason of more than one. */
  about: string;
  reason: string;
  shown: NonNullable<ListedReason['shown']> | 'condition';
  means: string;
  toDo: string;
}

interface Reasons {
  reasons: Readonly<Record<string, ListedReason>>;
  toDo: Readonly<Record<string, string>>;
}

const ofAllKinds: Reasons = {
  reasons: {
    [pending.reason]: { means: 'No step has reported on the object yet.' },
    [crowdedReason]: { means: 'Too many objects wait for the same thing as this one, so it is processed later.' },
  },
  toDo: {
    [pending.reason]: 'Wait a few seconds. If it stays so, see whether Longshore runs and serves this cluster.',
    [crowdedReason]: 'Let fewer objects of its namespace wait at a time.',
  },
};

const all: Readonly<Record<string, Reasons>> = {
  transfers: { reasons: transferReasons, toDo: toDoAboutTransfers },
  'data sources': { reasons: dataReasons, toDo: toDoAboutData },
  buckets: { reasons: bucketReasons, toDo: toDoAboutBuckets },
  'bucket requests': { reasons: requestReasons, toDo: toDoAboutRequests },
  'all kinds': ofAllKinds,
};

/** Everything that is known of a reason, however its letters are written; nothing of an unknown one. */
export function explanationOf(reason: string): Explanation[] {
  return explanations.filter((each) => each.reason.toLowerCase() === reason.toLowerCase());
}

/** All reasons, in the order of their lists. What is only logged asks nobody for anything. */
export const explanations: readonly Explanation[] = Object.entries(all).flatMap(([about, { reasons, toDo }]) =>
  Object.entries(reasons).map(
    ([reason, { shown, means }]): Explanation => ({
      ...{ about, reason, shown: shown ?? 'condition', means },
      toDo: toDo[reason] ?? 'Nothing.',
    }),
  ),
);
