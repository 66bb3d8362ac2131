import type { Parameters } from '../../drivers/driver.ts';
import type { SweepingDriver } from '../../drivers/owned.ts';
import type { BucketContent } from '../objects.ts';
import { contentsIn, parametersOf, type Views } from './views.ts';

export type Drivers = ReadonlyMap<string, SweepingDriver>;

export interface SweptStore {
  /** The same for all that mean this store. */
  key: string;
  driverName: string;
  driver: SweepingDriver;
  /** Nothing but where it is and who calls it. */
  parameters: Parameters;
  /** The administrator's Secret: of the same name, each cluster has its own. */
  secret: { cluster: string; name: string } | undefined;
}

/** Every store that a content or a class of any cluster means, and those that classes mean which say nothing. */
export function storesOf(views: Views, drivers: Drivers): SweptStore[] {
  const stores = new Map<string, SweptStore>();
  const note = (store: SweptStore | undefined) => store && stores.set(store.key, store);
  for (const { cluster, content } of contentsIn(views)) note(storeOfContent(cluster, content, drivers));
  for (const { cluster, classes } of views.read) {
    for (const { provisioner, parameters = {} } of classes) note(storeFor(cluster, provisioner, parameters, drivers));
  }
  for (const name of drivers.keys()) note(storeFor('', name, {}, drivers));
  return [...stores.values()];
}

export function storeOfContent(cluster: string, content: BucketContent, drivers: Drivers): SweptStore | undefined {
  const driver = drivers.get(content.spec.provisioner ?? '');
  return driver && storeFor(cluster, content.spec.provisioner, parametersOf(content, driver), drivers);
}

/** None where the driver is not ours, or where no store is meant, such as without a region. */
function storeFor(
  cluster: string,
  driverName: string | undefined,
  parameters: Parameters,
  drivers: Drivers,
): SweptStore | undefined {
  const driver = drivers.get(driverName ?? '');
  if (!driver || !driverName) return undefined;
  const place = onlyPlace(driver.settle(parameters));
  if (driver.check(place, 'Brownfield').length > 0) return undefined;
  const { driverSecretName: name } = place;
  const secret = name ? { cluster, name } : undefined;
  return { key: JSON.stringify([driverName, place, secret]), driverName, driver, parameters: place, secret };
}

const placing = ['region', 'endpoint', 'iamEndpoint', 'forcePathStyle', 'driverSecretName'];

/** In one order, so that the same place is the same text. */
function onlyPlace(parameters: Parameters): Parameters {
  const entries = placing.flatMap((name) => (parameters[name] === undefined ? [] : [[name, parameters[name]]]));
  return Object.fromEntries(entries);
}
