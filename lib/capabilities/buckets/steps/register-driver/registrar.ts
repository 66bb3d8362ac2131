import type { DriverInfo } from '../../drivers/driver.ts';

export interface Registrar {
  drivers: readonly DriverInfo[];
  /** Which deployment this is: a restart has the same. */
  identity: string;
}
