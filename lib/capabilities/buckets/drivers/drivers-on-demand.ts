import type { Driver } from './driver.ts';
import type { DriverConfig, DriverType } from './driver-config.ts';
import type { DriversOptions } from './drivers.ts';
import { type DriverOptions, type DriverRules, s3Rules } from './s3/s3-checks.ts';
import { sharedKeysRules } from './shared-keys/shared-keys-rules.ts';

const rules: Record<DriverType, (name: string, options: DriverOptions) => DriverRules> = {
  s3: s3Rules,
  'shared-keys': sharedKeysRules,
};

/** The same drivers, with clients that are loaded at the first call: most messages need none. */
export function driversOnDemand(
  configs: readonly DriverConfig[],
  options: Pick<DriversOptions, 'identity' | 'permissionsBoundary'>,
): ReadonlyMap<string, Driver> {
  let loading: Promise<ReadonlyMap<string, Driver>> | undefined;
  const loaded = async (name: string): Promise<Driver> => {
    loading ??= import('./drivers.ts').then(({ createDrivers }) => createDrivers(configs, options));
    const driver = (await loading).get(name);
    if (!driver) throw new Error(`there is no driver ${name}`);
    return driver;
  };
  return new Map(
    configs.map(({ name, type, region, endpoint }) => [
      name,
      {
        ...rules[type](name, { ...options, region, endpoint }),
        createBucket: async (request) => (await loaded(name)).createBucket(request),
        deleteBucket: async (request) => (await loaded(name)).deleteBucket(request),
        grantBucketAccess: async (request) => (await loaded(name)).grantBucketAccess(request),
        revokeBucketAccess: async (request) => (await loaded(name)).revokeBucketAccess(request),
      },
    ]),
  );
}
