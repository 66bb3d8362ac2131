import { reject, retry, waitFor } from '../../../../reconcile/obstacle.ts';
import { patchStatus } from '../../../../reconcile/status.ts';
import { blockedContent, contentPart, notStarted } from '../../content-status.ts';
import type { DeleteBucketOutcome, Failure, Parameters, RevokeAccessRequest } from '../../drivers/driver.ts';
import { deadlineOf, isFirst, isTaken, leaseFor } from '../../lease.ts';
import type { BucketContent } from '../../objects.ts';
import type { BucketReason } from '../../reasons.ts';
import { decode } from '../../secrets.ts';
import { driverSecretParameter, type ProvisioningDecision, type ProvisioningWorld } from './world.ts';

/** After a failure that needs someone's help, the next attempt waits this long, whatever triggers it. */
const restMs = 10 * 60_000;

/** True if the last attempt at the present task recently failed for good. */
function isResting({ metadata, status }: BucketContent, now: Date): boolean {
  if (!status?.failedAt) return false;
  const failedAt = Date.parse(status.failedAt);
  // A failure before the deletion, whose time is in whole seconds, was of another task.
  if (failedAt < Date.parse(metadata.deletionTimestamp ?? '') + 1_000) return false;
  return now.getTime() - failedAt < restMs;
}

/** True if the store has not been called in this run yet. */
function isIdle({ created, granted, revoked, deleted }: ProvisioningWorld): boolean {
  return !created && !granted && !revoked && !deleted;
}

/** Data in a bucket that may not be emptied waits for a person, like any other obstacle. */
type Refusal = Failure | Extract<DeleteBucketOutcome, { result: 'occupied' }>;

/** The store's refusal in this run: it is reported before anything else is tried. */
function failureIn({ created, granted, revoked, deleted }: ProvisioningWorld): Refusal | undefined {
  const answers = [created, granted, revoked, deleted];
  return answers.find((answer) => answer !== undefined && isFailure(answer)) as Refusal | undefined;
}

function isFailure({ result }: { result: string }): boolean {
  return Object.hasOwn(reasons, result);
}

/** Everything that the driver needs in each call. */
export type StoreTurn = RevokeAccessRequest;

export interface Before {
  /** The reason why an answer of the store is not relied on. */
  doubt?: Failure | undefined;
  /** The decision to take instead, if nothing has failed. */
  instead?: ProvisioningDecision | undefined;
  /** The status to report while the store is called. */
  status?: object;
}

/** The right to call the store now; or the decision that must come first. */
export function turnAtStore(
  world: ProvisioningWorld,
  content: BucketContent,
  now: Date,
  { doubt, instead, status = {} }: Before = {},
): StoreTurn | ProvisioningDecision {
  const elsewhere = startedElsewhere(world, content, now);
  if (elsewhere) return elsewhere;
  const failure = failureIn(world) ?? doubt;
  if (failure) return fail(world, content, failure, now);
  if (instead) return instead;
  if (isIdle(world) && isResting(content, now)) return waitFor('Resting', content.status?.message ?? '');
  return takeTurn(world, content, now, status);
}

function takeTurn(
  world: ProvisioningWorld,
  content: BucketContent,
  now: Date,
  status: object,
): StoreTurn | ProvisioningDecision {
  const { worker, driverSecret, cluster } = world;
  if (isTaken(content, worker, now)) {
    return retry('Busy', 'another worker is calling the store for this content');
  }
  const { bucketIdentifier = '', bucketRef } = content.spec;
  const secretName = content.spec.parameters?.[driverSecretParameter];
  if (secretName && !driverSecret) {
    const message = `there is no Secret ${secretName} in Longshore's namespace, although parameter ${driverSecretParameter} names it: create it`;
    return blockedContent(world, content, waitFor('DriverSecretMissing', message), now);
  }
  const deadline = deadlineOf(content, worker, now);
  if (deadline === undefined) return takeLease(world, content, now, status);
  const secrets = driverSecret ? decode(driverSecret) : {};
  const parameters = settled(world, content);
  return { bucket: bucketIdentifier, owner: bucketRef.uuid, cluster, parameters, secrets, deadline };
}

export function isTurn(turn: StoreTurn | ProvisioningDecision): turn is StoreTurn {
  return 'deadline' in turn;
}

/** The location and the deployment are recorded before anything is created, so that later settings do not matter. */
function takeLease(world: ProvisioningWorld, content: BucketContent, now: Date, status: object): ProvisioningDecision {
  const { worker, identity } = world;
  const { startedAt = now.toISOString(), startedBy = identity } = content.status ?? {};
  const start = { startedAt, startedBy, settledParameters: settled(world, content) };
  return patchStatus(contentPart, content, { ...status, lease: leaseFor(worker, now), ...start }, now);
}

function settled({ parameters }: ProvisioningWorld, { spec, status }: BucketContent): Parameters {
  return status?.settledParameters ?? parameters ?? spec.parameters ?? {};
}

/**
 * Another deployment uses another store, or another part of it: it would find nothing, and conclude that all was
 * removed.
 */
function startedElsewhere(
  world: ProvisioningWorld,
  content: BucketContent,
  now: Date,
): ProvisioningDecision | undefined {
  const { startedBy = world.identity } = content.status ?? {};
  if (startedBy === world.identity) return undefined;
  const message = `deployment ${startedBy} has begun this, and only that deployment can continue: restore it, or hand over: longshore explain StartedElsewhere says how`;
  return blockedContent(world, content, waitFor('StartedElsewhere', message), now);
}

const reasons: Record<Refusal['result'], BucketReason> = {
  occupied: 'NotEmpty',
  invalid: 'Invalid',
  taken: 'NameTaken',
  missing: 'NotFound',
  denied: 'AccessDenied',
  unavailable: 'StoreUnavailable',
};

/**
 * True if the store has just refused the very first call for this content. Then there is nothing to release: if a wrong
 * endpoint or wrong keys have prevented its creation, they must not prevent the deletion of the Bucket.
 */
function hasLeftNothing({ created, granted, worker }: ProvisioningWorld, content: BucketContent): boolean {
  const answer = created ?? granted;
  const isRefused = answer !== undefined && 'hasChangedNothing' in answer && answer.hasChangedNothing === true;
  return isRefused && content.status?.lease?.holder === worker && isFirst(content);
}

/**
 * True if the class's administrator can resolve a refusal by changing a Secret, about which Longshore may not be
 * notified. A message that is retried with growing delays would hold up all other messages for the content meanwhile:
 * without it, the one that is sent each minute gets through.
 */
function hasOwnKeys({ spec }: BucketContent): boolean {
  return spec.parameters?.[driverSecretParameter] !== undefined;
}

/** Reports the store's refusal. Failures that may pass are retried, with growing delays; the others wait for help. */
export function fail(
  world: ProvisioningWorld,
  content: BucketContent,
  refusal: Refusal,
  now: Date,
): ProvisioningDecision {
  const { result, message } = refusal;
  const reason = reasons[result];
  const cleared = hasLeftNothing(world, content) ? notStarted : {};
  if (result === 'denied' || result === 'unavailable') {
    const passing = result === 'denied' && hasOwnKeys(content) ? waitFor : retry;
    return blockedContent(world, content, passing(reason, message), now, cleared);
  }
  const also = { failedAt: now.toISOString(), ...cleared };
  return blockedContent(world, content, reject(reason, message), now, also);
}
