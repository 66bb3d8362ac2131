import { resources } from '../../../../kubernetes/resources.ts';
import { waitFor } from '../../../../reconcile/obstacle.ts';
import { patch } from '../../../../reconcile/writes.ts';
import { isTouched, withoutFinalizer } from '../../content.ts';
import { blockedContent, reportContent } from '../../content-status.ts';
import type { BucketContent } from '../../objects.ts';
import { isTurn, type StoreTurn, turnAtStore } from './at-store.ts';
import { doubtIn } from './doubt.ts';
import { callOf } from './driver-call.ts';
import { isWaitingForOthers, waitForOthers } from './sharing.ts';
import type { ProvisioningDecision, ProvisioningWorld } from './world.ts';

/** Revokes access, and applies the release policy to the bucket; never while its Bucket needs it. */
export function release(world: ProvisioningWorld, content: BucketContent, now: Date): ProvisioningDecision {
  const { bucket } = world;
  if (content.status?.phase === 'Released') return afterRelease(world, content);
  if (bucket && !bucket.metadata.deletionTimestamp) {
    const { namespace, name } = content.spec.bucketRef;
    const message = `in use by Bucket ${namespace}/${name}: it is released when that Bucket is deleted`;
    return blockedContent(world, content, waitFor('InUse', message), now);
  }
  return hasBegun(world, content)
    ? giveBack(world, content, now)
    : released(world, content, 'nothing had been created in the store', now);
}

/** The step that binds the Bucket releases the content; without a Bucket it has to be done here. */
function afterRelease({ bucket }: ProvisioningWorld, content: BucketContent): ProvisioningDecision {
  if (bucket) return { do: 'done', reason: 'Released' };
  const part = { slot: 'content', resource: resources.bucketContent } as const;
  return patch(part, content, { metadata: { finalizers: withoutFinalizer(content) } });
}

/** True if a driver may have created anything. For another deployment's driver that is unknown. */
function hasBegun({ registration, identity }: ProvisioningWorld, content: BucketContent): boolean {
  const isOthers = registration !== undefined && registration.spec.identity !== identity;
  return content.spec.provisioner !== undefined && (isTouched(content) || isOthers);
}

function giveBack(world: ProvisioningWorld, content: BucketContent, now: Date): ProvisioningDecision {
  const { problems, registration, identity, deleted } = world;
  const { provisioner } = content.spec;
  if (registration && registration.spec.identity !== identity) return { do: 'done', reason: 'NotOurDriver' };
  if (!problems) {
    const message = `no driver ${provisioner} is configured here any more: configure it again, so that it can remove what it created`;
    return blockedContent(world, content, waitFor('DriverNotConfigured', message), now);
  }
  const others = isWaitingForOthers(content) ? waitForOthers(world, content, now) : undefined;
  if (others) return others;
  const instead = deleted?.result === 'emptying' ? afterPart(world, content, deleted, now) : undefined;
  const turn = turnAtStore(world, content, now, { doubt: doubtIn(world, content, now), instead });
  return isTurn(turn) ? atStore(world, content, turn, now) : turn;
}

function atStore(
  world: ProvisioningWorld,
  content: BucketContent,
  request: StoreTurn,
  now: Date,
): ProvisioningDecision {
  const { revoked, deleted } = world;
  if (!revoked) return callOf(content, { operation: 'RevokeBucketAccess', slot: 'revoked', request });
  const { flow, releasePolicy, bucketIdentifier } = content.spec;
  if (flow !== 'Greenfield' || releasePolicy !== 'Delete') {
    return released(world, content, `access to bucket ${bucketIdentifier} is revoked; the bucket stays`, now);
  }
  if (!deleted) {
    const others = waitForOthers(world, content, now);
    return others ?? callOf(content, { operation: 'DeleteBucket', slot: 'deleted', request });
  }
  return deleted.result === 'foreign'
    ? released(world, content, deleted.message, now, 'Warning')
    : released(world, content, `bucket ${bucketIdentifier} is deleted`, now);
}

/** Reports the number of objects removed so far; that write causes the next message, and with it the next part. */
function afterPart(
  world: ProvisioningWorld,
  content: BucketContent,
  { removed }: { removed: number },
  now: Date,
): ProvisioningDecision {
  const reason = 'Emptying';
  const emptied = (content.status?.emptied ?? 0) + removed;
  const message = `bucket ${content.spec.bucketIdentifier} is being emptied: ${emptied} objects, versions and uploads deleted so far`;
  // The lease is released with the number: without the lease the number has been written.
  const isWritten = content.status?.lease?.holder !== world.worker;
  const report = isWritten ? undefined : reportContent(world, content, { reason, message, also: { emptied } }, now);
  // A part in which nothing could be removed causes no change, and so no message.
  return report ?? { do: removed === 0 ? 'retry' : 'wait', reason, message: 'the next part follows' };
}

function released(
  world: ProvisioningWorld,
  content: BucketContent,
  message: string,
  now: Date,
  event: 'Normal' | 'Warning' = 'Normal',
): ProvisioningDecision {
  const report = reportContent(world, content, { reason: 'Released', message, event }, now);
  return report ?? { do: 'done', reason: 'Released' };
}
