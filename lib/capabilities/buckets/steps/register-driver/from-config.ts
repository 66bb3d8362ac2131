import type { Config } from '../../../../runtime/config.ts';
import { infoOf } from '../../drivers/driver-config.ts';
import { registerDriver } from './step.ts';

/** The step with the drivers of a deployment. */
export function registerDriverFrom({ drivers, identity }: Pick<Config, 'drivers' | 'identity'>) {
  return registerDriver({ drivers: drivers.map(infoOf), identity });
}
