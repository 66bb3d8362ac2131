import type { DriverConfig, DriverType } from './driver-config.ts';
import type { Clock } from './s3/call.ts';
import { connectTo } from './s3/connect.ts';
import { createS3Driver, type S3DriverOptions } from './s3/s3-driver.ts';
import type { Connect } from './s3/settings.ts';
import { createSharedKeysDriver } from './shared-keys/shared-keys-driver.ts';
import type { SweepableDriver } from './sweepable-driver.ts';

const types: Record<DriverType, typeof createS3Driver> = { s3: createS3Driver, 'shared-keys': createSharedKeysDriver };

export interface DriversOptions {
  /** The deployment's name. */
  identity?: string;
  /** The permissions boundary of all users and roles that are created with the function's own role. */
  permissionsBoundary?: string | undefined;
  connect?: Connect;
  clock?: Clock;
}

/** The drivers of a deployment by their names. */
export function createDrivers(
  configs: readonly DriverConfig[],
  options: DriversOptions = {},
): ReadonlyMap<string, SweepableDriver> {
  const { connect = connectTo(), identity, clock = Date.now, permissionsBoundary } = options;
  return new Map(
    configs.map(({ name, type, region, endpoint }) => {
      const settings: S3DriverOptions = { region, endpoint, identity, clock, permissionsBoundary };
      return [name, types[type](name, connect, settings)];
    }),
  );
}
