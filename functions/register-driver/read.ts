import type { Registration } from '../../lib/buckets/objects.ts';
import type { Cluster } from '../../lib/cluster/cluster.ts';
import { type Key, nameOf, resources } from '../../lib/cluster/resources.ts';
import type { DriverInfo } from '../../lib/drivers/driver.ts';
import type { World } from '../../lib/reconcile/step.ts';
import type { Registrar } from './step.ts';

export interface RegisteringWorld extends World {
  /** The driver of that name, if this deployment has one. */
  readonly driver?: DriverInfo | undefined;
  readonly identity: string;
  readonly registration?: Registration | undefined;
}

export function readFor({ drivers, identity }: Registrar) {
  return async (cluster: Cluster, { name }: Key): Promise<RegisteringWorld> => {
    const driver = drivers.find((each) => each.name === name);
    if (!driver) return { identity };
    return {
      driver,
      identity,
      registration: await cluster.get<Registration>(nameOf(resources.registration, undefined, name)),
    };
  };
}
