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
  return (call: Call, _: unknown, change?: ChangeTrace): Promise<Answer> => {
    const asked = call as DriverCall;
    const driver = drivers.get(asked.driver);
    if (!driver) throw new Error(`there is no driver ${asked.driver}`);
    const request = change ? { ...asked.request, change } : asked.request;
    return perform(driver, { ...asked, request } as DriverCall);
  };
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
