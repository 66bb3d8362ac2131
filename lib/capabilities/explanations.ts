import { crowdedReason } from '../reconcile/crowded.ts';
import { type ExplainedReasons, type Explanation, explanationsIn } from '../reconcile/explanations.ts';
import { pending } from '../reconcile/ready.ts';
import { bucketAdvice } from './buckets/reason-advice.ts';
import { bucketReasons } from './buckets/reasons.ts';
import { requestAdvice } from './buckets/requests/reason-advice.ts';
import { requestReasons } from './buckets/requests/reasons.ts';
import { dataAdvice } from './data-sources/reason-advice.ts';
import { dataReasons } from './data-sources/reasons.ts';
import { transferAdvice } from './transfers/reason-advice.ts';
import { transferReasons } from './transfers/reasons.ts';

/** Reasons that any object may have. */
const common: ExplainedReasons = {
  reasons: {
    [pending.reason]: { means: 'No step has reported on the object yet.' },
    [crowdedReason]: { means: 'Too many objects wait for the same thing as this one, so it is processed later.' },
  },
  advice: {
    [pending.reason]: {
      turn: 'Longshore',
      todo: 'Wait a few seconds. If it stays so, see whether Longshore runs and serves this cluster.',
    },
    [crowdedReason]: { turn: 'owner', todo: 'Let fewer objects of its namespace wait at a time.' },
  },
  document: 'docs/observing.md',
};

/** Every reason that there is, with what to do about it. */
export const explained: Readonly<Record<string, ExplainedReasons>> = {
  transfers: { reasons: transferReasons, advice: transferAdvice, document: 'docs/transfers.md' },
  buckets: { reasons: bucketReasons, advice: bucketAdvice, document: 'docs/buckets.md' },
  'data-sources': { reasons: dataReasons, advice: dataAdvice, document: 'docs/data-sources.md' },
  'bucket-requests': { reasons: requestReasons, advice: requestAdvice, document: 'docs/bucket-requests.md' },
  'all resource types': common,
};

/** What a reason means, once for each capability that has it. */
export function explanationsOf(reason: string): Explanation[] {
  return explanationsIn(explained, reason);
}

/** What it means for an object of this capability. */
export function explanationOf(reason: string, capability: string): Explanation | undefined {
  return explanationsOf(reason).find((each) => each.capability === capability);
}

export const allReasons: readonly string[] = [
  ...new Set(Object.values(explained).flatMap(({ reasons }) => Object.keys(reasons))),
];
