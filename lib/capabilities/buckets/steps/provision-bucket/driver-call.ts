import type { Call } from '../../../../reconcile/step.ts';
import type {
  CreateBucketRequest,
  DeleteBucketRequest,
  GrantAccessRequest,
  RevokeAccessRequest,
} from '../../drivers/driver.ts';
import type { BucketContent } from '../../objects.ts';

/** The calls of a driver, named as in the specification. */
export type DriverCall = Call<'created' | 'granted' | 'revoked' | 'deleted'> & { driver: string } & (
    | { operation: 'CreateBucket'; slot: 'created'; request: CreateBucketRequest }
    | { operation: 'GrantBucketAccess'; slot: 'granted'; request: GrantAccessRequest }
    | { operation: 'RevokeBucketAccess'; slot: 'revoked'; request: RevokeAccessRequest }
    | { operation: 'DeleteBucket'; slot: 'deleted'; request: DeleteBucketRequest }
  );

type Unaddressed = DriverCall extends infer Each
  ? Each extends DriverCall
    ? Omit<Each, 'driver' | 'about'>
    : never
  : never;

export function callOf({ metadata, spec }: BucketContent, call: Unaddressed): { do: 'call'; call: DriverCall } {
  const about = `${spec.bucketIdentifier} for BucketContent ${metadata.name}`;
  return { do: 'call', call: { ...call, about, driver: spec.provisioner ?? '' } as DriverCall };
}
