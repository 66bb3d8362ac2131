import type { Driver } from '../driver.ts';
import { infoOf } from '../driver-config.ts';
import type { Defaults } from './connection-settings.ts';
import { boundaryProblems, checkParameters } from './s3-parameters.ts';
import { settleWithIam } from './settle-parameters.ts';

export interface DriverOptions extends Defaults {
  /** The deployment's name: its users and roles are below a path of this name. */
  identity?: string | undefined;
  /** The permissions boundary of all users and roles that are created with the function's own role. */
  permissionsBoundary?: string | undefined;
}

/** The answers of a driver that need no store. */
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
