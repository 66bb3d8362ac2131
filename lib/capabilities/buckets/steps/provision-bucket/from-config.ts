import { randomUUID } from 'node:crypto';
import type { Config } from '../../../../runtime/config.ts';
import { driversOnDemand } from '../../drivers/drivers-on-demand.ts';
import { provisionBucket } from './step.ts';

/** The step with the drivers of a deployment. */
export function provisionBucketFrom({
  drivers,
  identity,
  permissionsBoundary,
}: Pick<Config, 'drivers' | 'identity' | 'permissionsBoundary'>) {
  return provisionBucket({
    drivers: driversOnDemand(drivers, { identity, permissionsBoundary }),
    identity,
    worker: randomUUID(),
  });
}
