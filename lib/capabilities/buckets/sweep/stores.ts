import type { Parameters } from '../drivers/driver.ts';
import type { Owned, SweepingDriver } from '../drivers/owned.ts';
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
  /** The clusters that have a content or a class which means it. */
  users: ReadonlySet<string>;
  /** Of which kinds of things it tells at the deployment's own address, called by its own role: nobody else says what is there. */
  own: ReadonlySet<Owned['kind']>;
  /** Meant by a class that says nothing, and so by everybody. */
  isDefault: boolean;
}

/** Every store that a content or a class of any cluster means, and those that classes mean which say nothing. */
export function storesOf(views: Views, drivers: Drivers): SweptStore[] {
  const stores = new Map<string, SweptStore>();
  const note = (store: SweptStore | undefined) => {
    if (!store) return;
    const { users = [], isDefault = false } = stores.get(store.key) ?? {};
    const known = { users: new Set([...users, ...store.users]), isDefault: isDefault || store.isDefault };
    stores.set(store.key, { ...store, ...known });
  };
  for (const { cluster, content } of contentsIn(views)) note(storeOfContent(cluster, content, drivers));
  for (const { cluster, classes } of views.read) {
    for (const { provisioner, parameters = {} } of classes) note(storeFor(cluster, provisioner, parameters, drivers));
  }
  for (const name of drivers.keys()) note(storeFor(undefined, name, {}, drivers));
  return [...stores.values()];
}

export function storeOfContent(cluster: string, content: BucketContent, drivers: Drivers): SweptStore | undefined {
  const driver = drivers.get(content.spec.provisioner ?? '');
  return driver && storeFor(cluster, content.spec.provisioner, parametersOf(content, driver), drivers);
}

/**
 * Whose things of a kind a store tells of: two stores of one account tell of the same users. Of one address each administrator
 * may mean an account of their own.
 */
export function accountOf({ parameters, secret }: SweptStore, kind: Owned['kind']): string {
  return JSON.stringify([addressFor(kind, parameters), secret]);
}

/** Of which clusters a store is believed; undefined for all. Anybody may name a store of theirs in a class. */
export function believedOf({ users, own }: SweptStore, kind: Owned['kind']): string[] | undefined {
  return own.has(kind) ? undefined : [...users];
}

export function isOwn({ own }: SweptStore): boolean {
  return kinds.every((kind) => own.has(kind));
}

const kinds = ['bucket', 'user', 'role'] as const;

/** Where a store tells of things of a kind. */
export function addressFor(kind: Owned['kind'], { endpoint, iamEndpoint }: Parameters): string | undefined {
  return kind === 'bucket' ? endpoint : iamEndpoint;
}

/** None where the driver is not ours, or where no store is meant, such as without a region. */
function storeFor(
  cluster: string | undefined,
  driverName: string | undefined,
  parameters: Parameters,
  drivers: Drivers,
): SweptStore | undefined {
  const driver = drivers.get(driverName ?? '');
  if (!driver || !driverName) return undefined;
  const place = onlyPlace(driver.settle(parameters));
  if (driver.check(place, 'Brownfield').length > 0) return undefined;
  const { driverSecretName: name, region } = place;
  const secret = name ? { cluster: cluster ?? '', name } : undefined;
  const ours = driver.settle(region === undefined ? {} : { region });
  const isOurs = (kind: Owned['kind']) => !secret && addressFor(kind, place) === addressFor(kind, ours);
  return {
    key: JSON.stringify([driverName, place, secret]),
    driverName,
    driver,
    parameters: place,
    secret,
    users: new Set(cluster === undefined ? [] : [cluster]),
    own: new Set(kinds.filter(isOurs)),
    isDefault: cluster === undefined,
  };
}

const placing = ['region', 'endpoint', 'iamEndpoint', 'forcePathStyle', 'driverSecretName'];

/** In one order, so that the same place is the same text. */
function onlyPlace(parameters: Parameters): Parameters {
  const entries = placing.flatMap((name) => (parameters[name] === undefined ? [] : [[name, parameters[name]]]));
  return Object.fromEntries(entries);
}
