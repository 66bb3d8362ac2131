import { resources } from '../../lib/cluster/resources.ts';
import type { DriverInfo } from '../../lib/drivers/driver.ts';
import type { Step } from '../../lib/reconcile/step.ts';
import { decide, decideFailed } from './decide.ts';
import { type RegisteringWorld, readFor } from './read.ts';

export interface Registrar {
  drivers: readonly DriverInfo[];
  /** Which deployment this is: a restart has the same. */
  identity: string;
}

/** The name of a driver, which only one deployment may serve in a cluster. */
export function registerDriver(registrar: Registrar): Step<RegisteringWorld> {
  return { name: 'register-driver', resource: resources.registration, read: readFor(registrar), decide, decideFailed };
}
