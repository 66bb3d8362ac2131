import type { Failure } from '../../drivers/driver.ts';
import type { BucketContent } from '../../objects.ts';
import type { ProvisioningWorld } from './world.ts';

/** IAM is eventually consistent: until then, finding nothing does not prove that nothing exists. */
const knownAfterMs = 2 * 60_000;
const notYetKnown: Failure = {
  result: 'unavailable',
  message: 'the store does not show the access yet that was granted a moment ago',
};

export function doubtIn(world: ProvisioningWorld, content: BucketContent, now: Date): Failure | undefined {
  const { revoked } = world;
  const isYoung = now.getTime() - Date.parse(content.status?.calledAt ?? '') < knownAfterMs;
  const isFound = revoked?.result !== 'revoked' || revoked.found;
  return isYoung && !isFound && mayHaveAccess(world, content) ? notYetKnown : undefined;
}

/**
 * The Secret exists before access is granted; an empty one proves that there is no access only if the store has
 * refused.
 */
function mayHaveAccess({ secret }: ProvisioningWorld, { status }: BucketContent): boolean {
  // Access to a bucket that is being emptied has been revoked before.
  if (!secret || status?.emptied !== undefined) return false;
  return Object.keys(secret.data ?? {}).length > 0 || status?.phase !== 'Failed';
}
