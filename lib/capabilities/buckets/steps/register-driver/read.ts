import type { Cluster } from '../../../../kubernetes/cluster.ts';
import { type Key, nameOf, resources } from '../../../../kubernetes/resources.ts';
import type { Registrar } from './registrar.ts';
import type { RegisteringWorld } from './world.ts';

export function readFor({ drivers, identity }: Registrar) {
  return async (cluster: Cluster, { name }: Key): Promise<RegisteringWorld> => {
    const driver = drivers.find((each) => each.name === name);
    if (!driver) return { identity };
    return {
      driver,
      identity,
      registration: await cluster.get(nameOf(resources.registration, undefined, name)),
    };
  };
}
