import type { Driver } from '../../drivers/driver.ts';

export interface Provisioner {
  /** By the provisioner names of classes. */
  drivers: ReadonlyMap<string, Driver>;
  /** The deployment's name, as in its registrations. */
  identity: string;
  /** The holder of a lease: different for each process that may be active at the same time. */
  worker: string;
}
