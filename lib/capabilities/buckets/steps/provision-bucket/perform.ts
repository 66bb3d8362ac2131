import { createHash } from 'node:crypto';
import type { Answer } from '../../../../reconcile/step.ts';
import type { ChangeTrace } from '../../../../runtime/tracing.ts';
import type { Driver } from '../../drivers/driver.ts';
import type { DriverCall } from './driver-call.ts';

export function performOn(drivers: ReadonlyMap<string, Driver>) {
  const made = new Made();
  return async (asked: DriverCall, _: unknown, change?: ChangeTrace): Promise<Answer> => {
    const driver = drivers.get(asked.driver);
    if (!driver) throw new Error(`there is no driver ${asked.driver}`);
    const request = change ? { ...asked.request, change } : asked.request;
    const { cluster, owner } = request;
    const mayHaveMade = made.has(cluster, owner);
    // Until there is an answer, and if none comes, anything may have been created.
    made.add(cluster, owner);
    const answer = await perform(driver, { ...asked, request } as DriverCall);
    if (!('hasChangedNothing' in answer)) return answer;
    if (!mayHaveMade) made.delete(cluster, owner);
    return mayHaveMade ? ({ ...answer, hasChangedNothing: false } as Answer) : answer;
  };
}

/** Separate for each cluster, so that none can make the process forget, or keep, the owners of another. */
const maxOwners = 10_000;

/**
 * The owners for which this process may have created something. A run that loses a race decides again and calls the
 * store again: a refusal then does not prove that the earlier call changed nothing. It exists as long as the process,
 * and an API server may choose any uid for an owner: so only a short hash of each is kept.
 */
class Made {
  private readonly owners = new Map<string, Set<string>>();

  has(cluster: string, owner: string): boolean {
    const known = this.owners.get(cluster);
    return known !== undefined && (known.size >= maxOwners || known.has(short(owner)));
  }

  add(cluster: string, owner: string): void {
    const known = this.owners.get(cluster) ?? new Set();
    this.owners.set(cluster, known);
    if (known.size < maxOwners) known.add(short(owner));
  }

  delete(cluster: string, owner: string): void {
    this.owners.get(cluster)?.delete(short(owner));
  }
}

function short(owner: string): string {
  return createHash('sha256').update(owner).digest('base64');
}

function perform(driver: Driver, call: DriverCall): Promise<Answer> {
  switch (call.operation) {
    case 'CreateBucket':
      return driver.createBucket(call.request);
    case 'GrantBucketAccess':
      return driver.grantBucketAccess(call.request);
    case 'RevokeBucketAccess':
      return driver.revokeBucketAccess(call.request);
    case 'DeleteBucket':
      return driver.deleteBucket(call.request);
    default:
      return unknownCall(call);
  }
}

function unknownCall(call: never): never {
  throw new Error(`unknown call ${(call as DriverCall).operation}`);
}
