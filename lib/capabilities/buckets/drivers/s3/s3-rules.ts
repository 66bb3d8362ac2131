import type { Driver } from '../driver.ts';
import { infoOf } from '../driver-config.ts';
import { boundaryProblems, checkParameters } from './s3-parameters.ts';
import type { Defaults } from './settings.ts';
import { settleWithIam } from './settle-parameters.ts';

export interface DriverOptions extends Defaults {
  /** Which deployment this is: its users and roles are below a path of this name. */
  identity?: string | undefined;
  /** The boundary of all users and roles that are made with the function's own role. */
  permissionsBoundary?: string | undefined;
}

/** What a driver says without asking a store. */
export type DriverRules = Pick<Driver, 'info' | 'check' | 'settleParameters'>;

export function s3Rules(name: string, options: DriverOptions): DriverRules {
  const { permissionsBoundary } = options;
  return {
    info: () => infoOf({ name, type: 's3' }),
    check: (parameters, flow) => [
      ...checkParameters(parameters, flow, options),
      ...boundaryProblems(parameters, permissionsBoundary),
    ],
    settleParameters: (parameters) => settleWithIam(parameters, options),
  };
}
