import type { Failure } from '../../drivers/driver.ts';
import type { BucketContent } from '../../objects.ts';
import type { ProvisioningWorld } from './world.ts';

/** IAM needs a while to know everywhere what was made: before that, that there is nothing is no word to rely on. */
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

/** There is a Secret before access is given; and one that is empty says nothing where the store has said no. */
function mayHaveAccess({ secret }: ProvisioningWorld, { status }: BucketContent): boolean {
  // What is being emptied has been revoked before.
  if (!secret || status?.emptied !== undefined) return false;
  return Object.keys(secret.data ?? {}).length > 0 || status?.phase !== 'Failed';
}
