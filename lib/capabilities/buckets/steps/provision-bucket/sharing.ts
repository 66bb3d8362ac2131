import { waitFor } from '../../../../reconcile/obstacle.ts';
import { isTouched } from '../../content.ts';
import { blockedContent, notStarted, reasonOf, reportContent } from '../../content-status.ts';
import { isFirst } from '../../lease.ts';
import { describeHolders, holdersAmong, isEmptiedSoon, isEmptiedWith, isJoining } from '../../namesakes.ts';
import type { BucketContent } from '../../objects.ts';
import { fail, isTurn, turnAtStore } from './at-store.ts';
import { doubtIn } from './doubt.ts';
import { callOf } from './driver-call.ts';
import type { ProvisioningDecision, ProvisioningWorld } from './world.ts';

/**
 * A bucket that was created for one Bucket may be used by others, through a class with its name. A content that will
 * empty it is marked as deleted before it looks for others; a content that needs access is marked as begun before it
 * looks for such a deletion. So at least one of the two sees the other, and gives way: the one that needs access if it
 * can, otherwise the one that empties.
 */

/** The report while others use the bucket; undefined if none do. */
export function waitForOthers(
  world: ProvisioningWorld,
  content: BucketContent,
  now: Date,
): ProvisioningDecision | undefined {
  const holders = isEmptiedWith(content) ? holdersAmong(world.namesakes ?? []) : [];
  if (holders.length === 0) return undefined;
  const { bucketIdentifier, bucketRef } = content.spec;
  const who = describeHolders(holders, bucketRef.namespace);
  const message = `bucket ${bucketIdentifier} is used by ${who}: it is kept, with all its contents, until they are gone`;
  // `emptied` records that access is revoked: the next attempt to revoke it finds none.
  const also = { emptied: content.status?.emptied ?? 0 };
  return blockedContent(world, content, waitFor('SharedWithOthers', message), now, also);
}

/**
 * True if access is revoked, and the users of the bucket are reported: the store need not be called until they are
 * gone.
 */
export function isWaitingForOthers(content: BucketContent): boolean {
  return reasonOf(content) === 'SharedWithOthers';
}

/** The decision instead of granting access to a bucket that is about to be emptied; undefined if it is not. */
export function giveWay(world: ProvisioningWorld, content: BucketContent, now: Date): ProvisioningDecision | undefined {
  const { namesakes = [], revoked } = world;
  if (!isJoining(content) || !isEmptiedSoon(namesakes)) return undefined;
  const message = `bucket ${content.spec.bucketIdentifier} is being deleted with the Bucket that it was created for`;
  const going = waitFor('BucketGoing', message);
  if (!isTouched(content)) return blockedContent(world, content, going, now);
  // An earlier worker may have got further.
  const doubt = doubtIn(world, content, now);
  const turn = turnAtStore(world, content, now, { doubt });
  if (!isTurn(turn)) return turn;
  if (!isFirst(content) && !revoked)
    return callOf(content, { operation: 'RevokeBucketAccess', slot: 'revoked', request: turn });
  const saying = { ...going, event: 'Warning' as const, also: notStarted };
  return reportContent(world, content, saying, now) ?? fail(world, content, { result: 'unavailable', message }, now);
}
