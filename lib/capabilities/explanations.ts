import { type ExplainedReasons, type Explanation, explanationsIn } from '../reconcile/explanations.ts';
import { bucketAdvice } from './buckets/reason-advice.ts';
import { bucketReasons } from './buckets/reasons.ts';
import { requestReasons } from './buckets/requests/reasons.ts';
import { dataAdvice } from './data-sources/reason-advice.ts';
import { dataReasons } from './data-sources/reasons.ts';
import { transferAdvice } from './transfers/reason-advice.ts';
import { transferReasons } from './transfers/reasons.ts';

/** Refused events, which are not of one cluster, have their documents. */
const requestAdvice = Object.fromEntries(
  Object.entries(requestReasons)
    .filter(([, { shown }]) => shown === 'dead letter')
    .map(([reason]) => [reason, { turn: 'owner' as const, todo: 'See the message of the dead letter.' }]),
);

/** Every reason that there is, with what to do about it. */
export const explained: Readonly<Record<string, ExplainedReasons>> = {
  transfers: { reasons: transferReasons, advice: transferAdvice, document: 'docs/transfers.md' },
  buckets: { reasons: bucketReasons, advice: bucketAdvice, document: 'docs/buckets.md' },
  'data-sources': { reasons: dataReasons, advice: dataAdvice, document: 'docs/data-sources.md' },
  'bucket-requests': { reasons: requestReasons, advice: requestAdvice, document: 'docs/bucket-requests.md' },
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
