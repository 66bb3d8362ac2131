import type {
  CreateBucketRequest,
  DeleteBucketRequest,
  Driver,
  GrantAccessRequest,
  RevokeAccessRequest,
} from '../../lib/drivers/driver.ts';
import type { Answer, Call } from '../../lib/reconcile/step.ts';

/** What a driver is asked to do, in the words of the specification. */
export type DriverCall = Call & { driver: string } & (
    | { operation: 'CreateBucket'; slot: 'created'; request: CreateBucketRequest }
    | { operation: 'GrantBucketAccess'; slot: 'granted'; request: GrantAccessRequest }
    | { operation: 'RevokeBucketAccess'; slot: 'revoked'; request: RevokeAccessRequest }
    | { operation: 'DeleteBucket'; slot: 'deleted'; request: DeleteBucketRequest }
  );

export function performOn(drivers: ReadonlyMap<string, Driver>) {
  return (call: Call): Promise<Answer> => {
    const asked = call as DriverCall;
    const driver = drivers.get(asked.driver);
    if (!driver) throw new Error(`there is no driver ${asked.driver}`);
    return perform(driver, asked);
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
