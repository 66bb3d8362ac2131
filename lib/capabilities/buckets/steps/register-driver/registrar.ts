import type { DriverInfo } from '../../drivers/driver.ts';

export interface Registrar {
  drivers: readonly DriverInfo[];
  /** The deployment's name: the same after a restart. */
  identity: string;
}
