import { reject } from '../../../../reconcile/obstacle.ts';
import { isHeld } from '../../content.ts';
import { blockedContent } from '../../content-status.ts';
import { isTaken } from '../../lease.ts';
import type { BucketContent } from '../../objects.ts';
import { afterBucket } from './after-bucket.ts';
import { provision } from './provision.ts';
import { release } from './release.ts';
import type { ProvisioningDecision, ProvisioningWorld } from './world.ts';

/** So the server refuses what is to be made in a namespace that goes. It may be made again at any time, without a word to us. */
const namespaceGoes = /because it is being terminated/;

/** A content that its Bucket wants, one that is to go, and one whose Bucket has gone without it. */
export function decide(world: ProvisioningWorld, now: Date): ProvisioningDecision {
  const { content, bucket, refused } = world;
  if (!content) return { do: 'done', reason: 'ContentGone' };
  if (!isHeld(content)) return { do: 'done', reason: 'NotHeld' };
  if (refused) {
    const message = `the ${refused.slot} cannot be written: ${refused.message}`;
    return giveUp(world, message, now, { isOver: !namespaceGoes.test(refused.message) });
  }
  if (content.metadata.deletionTimestamp) return release(world, content, now);
  return bucket ? provision(world, content, bucket, now) : afterBucket(world, content, now);
}

export function decideFailed(world: ProvisioningWorld, message: string, now: Date): ProvisioningDecision {
  return giveUp(world, message, now);
}

/** What has been provisioned stays so, and what has been released too, whatever fails later. */
function giveUp(world: ProvisioningWorld, message: string, now: Date, { isOver = true } = {}): ProvisioningDecision {
  const { content, worker } = world;
  const failed = reject('Failed', message);
  // What is not over is tried again as soon as anything wakes us.
  const also = isOver ? { failedAt: now.toISOString() } : {};
  const isOurs = content !== undefined && isOurBusiness(world, content) && !isSettled(content);
  // Another worker is at it, and will say what comes of it.
  const isBusy = content !== undefined && isTaken(content, worker, now);
  return isOurs && !isBusy ? blockedContent(world, content, failed, now, also) : failed;
}

function isSettled({ metadata, status }: BucketContent): boolean {
  const isProvisioned = status?.phase === 'Ready' || status?.phase === 'Bound';
  return status?.phase === 'Released' || (isProvisioned && metadata.deletionTimestamp === undefined);
}

/** Of another deployment's contents only that deployment has anything to say. */
function isOurBusiness({ problems, registration, identity }: ProvisioningWorld, content: BucketContent): boolean {
  const isServed = problems !== undefined || content.spec.provisioner === undefined;
  return isHeld(content) && isServed && (registration?.spec.identity ?? identity) === identity;
}
