import type { Claim } from '../../lib/cluster/objects.ts';
import { finalizer } from '../../lib/data-sources/names.ts';
import type { Decision } from '../../lib/reconcile/step.ts';
import { patch } from '../../lib/reconcile/writes.ts';
import { claimPart } from './parts.ts';

export function isHeld({ metadata }: Claim): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}

/** Nothing is made before: the claim's end must not pass unseen. */
export function hold(claim: Claim): Decision {
  return patch(claimPart, claim, { metadata: { finalizers: [...(claim.metadata.finalizers ?? []), finalizer] } });
}

/** The last thing that is written on a claim: from then on its end is nobody's concern. */
export function dropHold(claim: Claim): Decision | undefined {
  const { finalizers = [] } = claim.metadata;
  if (!finalizers.includes(finalizer)) return undefined;
  return patch(claimPart, claim, { metadata: { finalizers: finalizers.filter((name) => name !== finalizer) } });
}
