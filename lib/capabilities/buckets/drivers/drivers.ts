import type { DriverConfig, DriverType } from './driver-config.ts';
import type { Clock } from './s3/call.ts';
import { connectTo } from './s3/connect.ts';
import type { Connect } from './s3/connection-settings.ts';
import { createS3Driver } from './s3/s3-driver.ts';
import { createSharedKeysDriver } from './shared-keys/shared-keys-driver.ts';
import type { SweepableDriver } from './sweepable-driver.ts';

/** The settings of a deployment for each of its drivers; `connect` is for S3 drivers. */
export interface DriverSettings extends Pick<DriverConfig, 'region' | 'endpoint'>, Required<DriverTools> {
  identity?: string | undefined;
  permissionsBoundary?: string | undefined;
}

export type CreateDriver = (name: string, settings: DriverSettings) => SweepableDriver;

const types: Record<DriverType, CreateDriver> = {
  s3: (name, { connect, ...settings }) => createS3Driver(name, connect, settings),
  'shared-keys': (name, { connect, ...settings }) => createSharedKeysDriver(name, connect, settings),
};

/** Tests supply their own. */
interface DriverTools {
  connect?: Connect;
  clock?: Clock;
}

export interface DriversOptions extends DriverTools {
  /** The deployment's name. */
  identity?: string;
  /** The permissions boundary of all users and roles that are created with the function's own role. */
  permissionsBoundary?: string | undefined;
}

/** The drivers of a deployment by their names. */
export function createDrivers(
  configs: readonly DriverConfig[],
  options: DriversOptions = {},
): ReadonlyMap<string, SweepableDriver> {
  const { connect = connectTo(), identity, clock = Date.now, permissionsBoundary } = options;
  const shared = { connect, identity, clock, permissionsBoundary };
  return new Map(configs.map(({ name, type, ...ofDriver }) => [name, types[type](name, { ...ofDriver, ...shared })]));
}
