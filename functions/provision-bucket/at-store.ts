import { reportContent } from '../../lib/buckets/content-status.ts';
import { deadlineOf, isTaken, leaseFor } from '../../lib/buckets/lease.ts';
import type { BucketContent } from '../../lib/buckets/objects.ts';
import { decode } from '../../lib/buckets/secrets.ts';
import { resources } from '../../lib/cluster/resources.ts';
import type { DeleteBucketOutcome, Failure, Parameters } from '../../lib/drivers/driver.ts';
import type { Decision } from '../../lib/reconcile/step.ts';
import { patchStatus } from '../../lib/reconcile/writes.ts';
import { driverSecretParameter, type ProvisioningWorld } from './read.ts';

/** After a failure that only somebody's help can mend the next attempt waits so long, whatever wakes us. */
const restMs = 10 * 60_000;

/** Whether the last attempt of what is to be done now failed for good a moment ago. */
export function isResting({ metadata, status }: BucketContent, now: Date): boolean {
  if (!status?.failedAt) return false;
  const failedAt = Date.parse(status.failedAt);
  // What failed before the deletion, which has whole seconds, was another attempt at something else.
  if (failedAt < Date.parse(metadata.deletionTimestamp ?? '') + 1_000) return false;
  return now.getTime() - failedAt < restMs;
}

export function rest({ status }: BucketContent): Decision {
  return { do: 'wait', reason: 'Resting', message: status?.message ?? '' };
}

/** Whether the store has not been called in this run yet. */
export function isIdle({ created, granted, revoked, deleted }: ProvisioningWorld): boolean {
  return !created && !granted && !revoked && !deleted;
}

/** What the store has refused in this run: it is said before anything else is tried. */
export function failureIn({ created, granted, revoked, deleted }: ProvisioningWorld): Failure | undefined {
  return [created, granted, revoked, asFailure(deleted)].find((answer) => answer !== undefined && isFailure(answer)) as
    | Failure
    | undefined;
}

/** What is in a bucket that is not to be emptied waits for a person, like anything else that is in the way. */
function asFailure(deleted: DeleteBucketOutcome | undefined) {
  return deleted?.result === 'occupied' ? ({ result: 'taken', message: deleted.message } as const) : deleted;
}

function isFailure({ result }: { result: string }): boolean {
  return Object.hasOwn(reasons, result);
}

/** Everything that the driver has to be told each time. */
export interface StoreTurn {
  bucket: string;
  owner: string;
  parameters: Parameters;
  secrets: Parameters;
  deadline: number;
}

/** The right to call the store now: or what has to be done first to have it. */
export function takeTurn(
  world: ProvisioningWorld,
  content: BucketContent,
  now: Date,
  status: object = {},
): StoreTurn | Decision {
  const { worker, driverSecret } = world;
  if (isTaken(content, worker, now)) {
    return { do: 'retry', reason: 'Busy', message: 'another worker is at the store for this content' };
  }
  const { parameters = {}, bucketIdentifier = '', bucketRef } = content.spec;
  const secretName = parameters[driverSecretParameter];
  if (secretName && !driverSecret) {
    const message = `there is no Secret ${secretName} in the system's namespace, which parameter ${driverSecretParameter} names: make it`;
    const reason = 'DriverSecretMissing';
    const saying = { phase: 'Retrying', reason, message, isProblem: true } as const;
    return reportContent({ content, worker }, saying, now) ?? { do: 'wait', reason, message };
  }
  const deadline = deadlineOf(content, worker, now);
  if (deadline === undefined) return takeLease(content, worker, now, status);
  const secrets = driverSecret ? decode(driverSecret) : {};
  return { bucket: bucketIdentifier, owner: bucketRef.uuid, parameters, secrets, deadline };
}

export function isTurn(turn: StoreTurn | Decision): turn is StoreTurn {
  return 'deadline' in turn;
}

function takeLease(content: BucketContent, worker: string, now: Date, status: object): Decision {
  const startedAt = content.status?.startedAt ?? now.toISOString();
  const part = { slot: 'content', resource: resources.bucketContent };
  return patchStatus(part, content, { ...status, lease: leaseFor(worker, now), startedAt });
}

const reasons: Record<Failure['result'], string> = {
  invalid: 'Invalid',
  taken: 'NameTaken',
  missing: 'NotFound',
  denied: 'AccessDenied',
  unavailable: 'StoreUnavailable',
};

/** Says what the store refused. What time may mend is tried again, with growing pauses; the rest waits for help. */
export function fail(
  { worker }: ProvisioningWorld,
  content: BucketContent,
  { result, message }: Failure,
  now: Date,
): Decision {
  const reason = reasons[result];
  if (result === 'denied' || result === 'unavailable') {
    const saying = { phase: 'Retrying', reason, message, isProblem: true } as const;
    return reportContent({ content, worker }, saying, now) ?? { do: 'retry', reason, message };
  }
  const saying = { phase: 'Failed', reason, message, isProblem: true } as const;
  const also = { failedAt: now.toISOString() };
  return reportContent({ content, worker }, { ...saying, also }, now) ?? { do: 'reject', reason, message };
}
