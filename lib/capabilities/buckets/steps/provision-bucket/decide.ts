import { reject } from '../../../../reconcile/obstacle.ts';
import { isHeld } from '../../content.ts';
import { blockedContent } from '../../content-status.ts';
import { isTaken } from '../../lease.ts';
import type { BucketContent } from '../../objects.ts';
import { afterBucket } from './after-bucket.ts';
import { provision } from './provision.ts';
import { release } from './release.ts';
import type { ProvisioningDecision, ProvisioningWorld } from './world.ts';

/**
 * The API server's error for creating an object in a namespace that is being deleted. The namespace may be recreated at
 * any time, without notice to us.
 */
const namespaceGoes = /because it is being terminated/;

/** Three cases: a content whose Bucket needs it, one that is being deleted, and one whose Bucket is gone. */
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

/** Provisioned contents stay so, and released ones too, whatever fails later. */
function giveUp(world: ProvisioningWorld, message: string, now: Date, { isOver = true } = {}): ProvisioningDecision {
  const { content, worker } = world;
  const failed = reject('Failed', message);
  // A failure that is not final is retried on the next message of any kind.
  const also = isOver ? { failedAt: now.toISOString() } : {};
  const isOurs = content !== undefined && isOurBusiness(world, content) && !isSettled(content);
  // Another worker is active, and will report the result.
  const isBusy = content !== undefined && isTaken(content, worker, now);
  return isOurs && !isBusy ? blockedContent(world, content, failed, now, also) : failed;
}

function isSettled({ metadata, status }: BucketContent): boolean {
  const isProvisioned = status?.phase === 'Ready' || status?.phase === 'Bound';
  return status?.phase === 'Released' || (isProvisioned && metadata.deletionTimestamp === undefined);
}

/** Only the deployment that serves a content reports on it. */
function isOurBusiness({ problems, registration, identity }: ProvisioningWorld, content: BucketContent): boolean {
  const isServed = problems !== undefined || content.spec.provisioner === undefined;
  return isHeld(content) && isServed && (registration?.spec.identity ?? identity) === identity;
}
