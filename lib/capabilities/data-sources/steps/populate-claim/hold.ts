import type { Claim } from '../../../../kubernetes/objects.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { patch } from '../../../../reconcile/writes.ts';
import { finalizer } from '../../names.ts';
import { claimPart } from './parts.ts';
import type { PopulatingWorld } from './world.ts';

export function isHeld({ metadata }: Claim): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}

/** Nothing is created before: the claim's deletion must not be missed. */
export function hold(claim: Claim): Decision<PopulatingWorld> {
  return patch(claimPart, claim, { metadata: { finalizers: [...(claim.metadata.finalizers ?? []), finalizer] } });
}

/** The last write to a claim: from then on its deletion need not be noticed. */
export function removeHold(claim: Claim): Decision<PopulatingWorld> | undefined {
  const { finalizers = [] } = claim.metadata;
  if (!finalizers.includes(finalizer)) return undefined;
  return patch(claimPart, claim, { metadata: { finalizers: finalizers.filter((name) => name !== finalizer) } });
}
