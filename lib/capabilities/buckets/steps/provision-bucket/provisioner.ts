import type { Driver } from '../../drivers/driver.ts';

export interface Provisioner {
  /** By the names that classes call them. */
  drivers: ReadonlyMap<string, Driver>;
  /** Which deployment this is; what its registrations say. */
  identity: string;
  /** Who holds a lease: different for each process that may be at work at the same time. */
  worker: string;
}
