import { resources } from '../../../../kubernetes/resources.ts';
import type { Step } from '../../../../reconcile/step.ts';
import { decide, decideFailed } from './decide.ts';
import type { DriverCall } from './driver-call.ts';
import { performOn } from './perform.ts';
import type { Provisioner } from './provisioner.ts';
import { readFor } from './read.ts';
import type { ProvisioningWorld } from './world.ts';

export const provisionBucketStep = { name: 'provision-bucket', resource: resources.bucketContent } as const;

/** Takes a BucketContent from nothing in the store to credentials in a Secret; and back, once it is deleted. */
export function provisionBucket(provisioner: Provisioner): Step<ProvisioningWorld, DriverCall> {
  return {
    ...provisionBucketStep,
    read: readFor(provisioner),
    decide,
    decideFailed,
    perform: performOn(provisioner.drivers),
  };
}
