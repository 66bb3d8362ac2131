import type { Claim } from '../../../kubernetes/objects.ts';
import { isCopy } from '../names.ts';
import { populatedConditionOf } from '../populated.ts';
import { isFinal } from '../reasons.ts';
import { type SourceReference, sourceOf } from '../reference.ts';

/**
 * A data source that Longshore only checks. Those that it populates itself are reported by the step that populates
 * them.
 */
export type CheckedSource = Exclude<SourceReference, { type: 'link' | 'reference' }>;

/** The claim's data source, if it is one that is only checked. */
export function checkedSourceOf(claim: Claim): CheckedSource | undefined {
  if (claim.metadata.deletionTimestamp || isCopy(claim)) return undefined;
  const source = sourceOf(claim);
  return source?.type === 'link' || source?.type === 'reference' ? undefined : source;
}

/** True if checking the claim again would find nothing new, as far as the claim itself shows. */
export function isAtRest(claim: Claim): boolean {
  const source = checkedSourceOf(claim);
  if (!source) return true;
  const { status, reason } = populatedConditionOf(claim) ?? {};
  if (reason === undefined) return false;
  if (claim.status?.phase === 'Lost') return reason === 'VolumeLost' && status === 'False';
  if (source.type === 'dropped' && reason === 'ReferenceDropped') return status === 'False';
  if (claim.status?.phase !== 'Bound') return false;
  // Before it is bound, the same reason has another status. A later registration is a change.
  return isFinal(reason) || (reason === 'UnrecognizedDataSourceKind' && status === 'Unknown');
}
