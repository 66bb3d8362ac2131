import type { Claim } from '../../../kubernetes/objects.ts';
import { isCopy } from '../names.ts';
import { populatedConditionOf } from '../populated.ts';
import { isFinal } from '../reasons.ts';
import { type SourceReference, sourceOf } from '../reference.ts';

/** A source of data that Longshore only looks on at; what it populates itself it tells about where it does. */
export type CheckedSource = Exclude<SourceReference, { type: 'link' | 'reference' }>;

/** Where the data of a claim comes from, if that is to be told here. */
export function checkedSourceOf(claim: Claim): CheckedSource | undefined {
  if (claim.metadata.deletionTimestamp || isCopy(claim)) return undefined;
  const source = sourceOf(claim);
  return source?.type === 'link' || source?.type === 'reference' ? undefined : source;
}

/** Whether another look at a claim would find nothing new, as far as the claim itself tells. */
export function isAtRest(claim: Claim): boolean {
  const source = checkedSourceOf(claim);
  if (!source) return true;
  const { status, reason } = populatedConditionOf(claim) ?? {};
  if (reason === undefined) return false;
  if (claim.status?.phase === 'Lost') return reason === 'VolumeLost' && status === 'False';
  if (source.type === 'dropped' && reason === 'ReferenceDropped') return status === 'False';
  if (claim.status?.phase !== 'Bound') return false;
  // The same reason is given with another status before it is bound. A registration that comes later is a change.
  return isFinal(reason) || (reason === 'UnrecognizedDataSourceKind' && status === 'Unknown');
}
