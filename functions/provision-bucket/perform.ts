import type {
  CreateBucketRequest,
  DeleteBucketRequest,
  Driver,
  GrantAccessRequest,
  RevokeAccessRequest,
} from '../../lib/drivers/driver.ts';
import type { Answer, Call } from '../../lib/reconcile/step.ts';
import type { ChangeTrace } from '../../lib/tracing.ts';

/** What a driver is asked to do, in the words of the specification. */
export type DriverCall = Call & { driver: string } & (
    | { operation: 'CreateBucket'; slot: 'created'; request: CreateBucketRequest }
    | { operation: 'GrantBucketAccess'; slot: 'granted'; request: GrantAccessRequest }
    | { operation: 'RevokeBucketAccess'; slot: 'revoked'; request: RevokeAccessRequest }
    | { operation: 'DeleteBucket'; slot: 'deleted'; request: DeleteBucketRequest }
  );

export function performOn(drivers: ReadonlyMap<string, Driver>) {
  const made = new Made();
  return async (call: Call, _: unknown, change?: ChangeTrace): Promise<Answer> => {
    const asked = call as DriverCall;
    const driver = drivers.get(asked.driver);
    if (!driver) throw new Error(`there is no driver ${asked.driver}`);
    const request = change ? { ...asked.request, change } : asked.request;
    const { owner } = request;
    const mayHaveMade = made.has(owner);
    // Until the answer is there, and if none comes, anything may have been made.
    made.add(owner);
    const answer = await perform(driver, { ...asked, request } as DriverCall);
    if (!('hasChangedNothing' in answer)) return answer;
    if (!mayHaveMade) made.delete(owner);
    return mayHaveMade ? ({ ...answer, hasChangedNothing: false } as Answer) : answer;
  };
}

const maxOwners = 10_000;

/**
 * For whom this process may have made anything. A run that loses a race decides anew and calls the store again: that the
 * store refuses it then says nothing of what it did before.
 */
class Made {
  private readonly owners = new Set<string>();
  private isFull = false;

  has(owner: string): boolean {
    return this.isFull || this.owners.has(owner);
  }

  add(owner: string): void {
    this.isFull ||= this.owners.size >= maxOwners;
    if (!this.isFull) this.owners.add(owner);
  }

  delete(owner: string): void {
    this.owners.delete(owner);
  }
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
