import { resources } from '../../../../kubernetes/resources.ts';
import { reject, retry, waitFor } from '../../../../reconcile/obstacle.ts';
import { patchStatus } from '../../../../reconcile/writes.ts';
import { blockedContent, notStarted } from '../../content-status.ts';
import type { DeleteBucketOutcome, Failure, Parameters, RevokeAccessRequest } from '../../drivers/driver.ts';
import { deadlineOf, isFirst, isTaken, leaseFor } from '../../lease.ts';
import type { BucketContent } from '../../objects.ts';
import type { BucketReason } from '../../reasons.ts';
import { decode } from '../../secrets.ts';
import { driverSecretParameter, type ProvisioningDecision, type ProvisioningWorld } from './world.ts';

/** After a failure that only somebody's help can mend the next attempt waits so long, whatever wakes us. */
const restMs = 10 * 60_000;

/** Whether the last attempt of what is to be done now failed for good a moment ago. */
function isResting({ metadata, status }: BucketContent, now: Date): boolean {
  if (!status?.failedAt) return false;
  const failedAt = Date.parse(status.failedAt);
  // What failed before the deletion, which has whole seconds, was another attempt at something else.
  if (failedAt < Date.parse(metadata.deletionTimestamp ?? '') + 1_000) return false;
  return now.getTime() - failedAt < restMs;
}

/** Whether the store has not been called in this run yet. */
function isIdle({ created, granted, revoked, deleted }: ProvisioningWorld): boolean {
  return !created && !granted && !revoked && !deleted;
}

/** What is in a bucket that is not to be emptied waits for a person, like anything else that is in the way. */
type Refusal = Failure | Extract<DeleteBucketOutcome, { result: 'occupied' }>;

/** What the store has refused in this run: it is said before anything else is tried. */
function failureIn({ created, granted, revoked, deleted }: ProvisioningWorld): Refusal | undefined {
  const answers = [created, granted, revoked, deleted];
  return answers.find((answer) => answer !== undefined && isFailure(answer)) as Refusal | undefined;
}

function isFailure({ result }: { result: string }): boolean {
  return Object.hasOwn(reasons, result);
}

/** Everything that the driver has to be told each time. */
export type StoreTurn = RevokeAccessRequest;

export interface Before {
  /** What makes an answer of the store one that is not relied on. */
  doubt?: Failure | undefined;
  /** What is to be done instead, if nothing has failed. */
  instead?: ProvisioningDecision | undefined;
  /** What the content is to say while the store is called. */
  status?: object;
}

/** The right to call the store now: or what has to be said or done first. */
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

/** Where and by whom it is made is written down before it is: whatever the deployment's settings become. */
function takeLease(world: ProvisioningWorld, content: BucketContent, now: Date, status: object): ProvisioningDecision {
  const { worker, identity } = world;
  const { startedAt = now.toISOString(), startedBy = identity } = content.status ?? {};
  const start = { startedAt, startedBy, settledParameters: settled(world, content) };
  const part = { slot: 'content', resource: resources.bucketContent } as const;
  return patchStatus(part, content, { ...status, lease: leaseFor(worker, now), ...start });
}

function settled({ parameters }: ProvisioningWorld, { spec, status }: BucketContent): Parameters {
  return status?.settledParameters ?? parameters ?? spec.parameters ?? {};
}

/** Another deployment looks into another store, or into another part of it: it would find nothing, and take that for the end. */
function startedElsewhere(
  world: ProvisioningWorld,
  content: BucketContent,
  now: Date,
): ProvisioningDecision | undefined {
  const { startedBy = world.identity } = content.status ?? {};
  if (startedBy === world.identity) return undefined;
  const message = `deployment ${startedBy} has begun this, and only that deployment can continue: restore it, or see docs/buckets.md`;
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
 * Whether the store has just refused the very first call that was ever made for it. Then there is nothing to give back: what
 * a wrong address or wrong keys have kept from being made must not keep a Bucket from being deleted.
 */
function hasLeftNothing({ created, granted, worker }: ProvisioningWorld, content: BucketContent): boolean {
  const answer = created ?? granted;
  const isRefused = answer !== undefined && 'hasChangedNothing' in answer && answer.hasChangedNothing === true;
  return isRefused && content.status?.lease?.holder === worker && isFirst(content);
}

/**
 * Whether the administrator of the class can mend what is refused, by a Secret that nobody may tell us of. A message that
 * came again with growing pauses would hold up all that is told of the content meanwhile: without it, each minute's does.
 */
function hasOwnKeys({ spec }: BucketContent): boolean {
  return spec.parameters?.[driverSecretParameter] !== undefined;
}

/** Says what the store refused. What time may mend is tried again, with growing pauses; the rest waits for help. */
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
