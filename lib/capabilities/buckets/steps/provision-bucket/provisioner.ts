import type { Driver } from '../../drivers/driver.ts';

export interface Provisioner {
  /** By the provisioner names of classes. */
  drivers: ReadonlyMap<string, Driver>;
  /** The deployment's name, as in its registrations. */
  identity: string;
  /** Who holds a lease: different for each process that may be at work at the same time. */
  worker: string;
}
