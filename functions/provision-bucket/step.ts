import { resources } from '../../lib/cluster/resources.ts';
import type { Driver } from '../../lib/drivers/driver.ts';
import type { Step } from '../../lib/reconcile/step.ts';
import { decide, decideFailed } from './decide.ts';
import { performOn } from './perform.ts';
import { type ProvisioningWorld, readFor } from './read.ts';

export interface Provisioner {
  /** By the names that classes call them. */
  drivers: ReadonlyMap<string, Driver>;
  /** Which deployment this is; what its registrations say. */
  identity: string;
  /** Who holds a lease: different for each process that may be at work at the same time. */
  worker: string;
}

/** A BucketContent, from nothing in the store to credentials in a Secret; and back, once it is deleted. */
export function provisionBucket(provisioner: Provisioner): Step<ProvisioningWorld> {
  return {
    name: 'provision-bucket',
    resource: resources.bucketContent,
    read: readFor(provisioner),
    decide,
    decideFailed,
    perform: performOn(provisioner.drivers),
  };
}
