import type { Parameters } from '../drivers/driver.ts';
import type { OwnedResource, SweepableDriver } from '../drivers/sweepable-driver.ts';
import type { BucketContent } from '../objects.ts';
import { contentsIn, parametersOf, type Views } from './views.ts';

export type Drivers = ReadonlyMap<string, SweepableDriver>;

export interface SweptStore {
  /** Identifies the store. */
  key: string;
  driverName: string;
  driver: SweepableDriver;
  /** Only its location and credentials. */
  parameters: Parameters;
  /** The administrator's Secret: each cluster has its own of the same name. */
  secret: { cluster: string; name: string } | undefined;
  /** The clusters with a content or a class that refers to it. */
  users: ReadonlySet<string>;
  /** The kinds that it lists at the deployment's own endpoint, with its own role: only for these it is authoritative. */
  own: ReadonlySet<OwnedResource['kind']>;
  /** A class without parameters refers to it, and so every cluster does. */
  isDefault: boolean;
}

/** Every store that a content or a class of any cluster refers to, and the default stores of the drivers. */
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
 * The account that a store lists a kind for: two stores of one account list the same users. At one endpoint each
 * administrator may have an own account.
 */
export function accountOf({ parameters, secret }: SweptStore, kind: OwnedResource['kind']): string {
  return JSON.stringify([addressFor(kind, parameters), secret]);
}

/** The clusters for which a store is trusted; undefined for all. A class may name anyone's store. */
export function believedOf({ users, own }: SweptStore, kind: OwnedResource['kind']): string[] | undefined {
  return own.has(kind) ? undefined : [...users];
}

export function isOwnStore({ own }: SweptStore): boolean {
  return kinds.every((kind) => own.has(kind));
}

const kinds = ['bucket', 'user', 'role'] as const;

/** The endpoint at which a store lists a kind. */
export function addressFor(kind: OwnedResource['kind'], { endpoint, iamEndpoint }: Parameters): string | undefined {
  return kind === 'bucket' ? endpoint : iamEndpoint;
}

/** Undefined if the driver is not ours, or if the parameters name no store, such as without a region. */
function storeFor(
  cluster: string | undefined,
  driverName: string | undefined,
  parameters: Parameters,
  drivers: Drivers,
): SweptStore | undefined {
  const driver = drivers.get(driverName ?? '');
  if (!driver || !driverName) return undefined;
  const place = locationOnly(driver.settleParameters(parameters));
  if (driver.check(place, 'Brownfield').length > 0) return undefined;
  const { driverSecretName: name, region } = place;
  const secret = name ? { cluster: cluster ?? '', name } : undefined;
  const ours = driver.settleParameters(region === undefined ? {} : { region });
  const isOurs = (kind: OwnedResource['kind']) => !secret && addressFor(kind, place) === addressFor(kind, ours);
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

const locationFields = ['region', 'endpoint', 'iamEndpoint', 'forcePathStyle', 'driverSecretName'];

/** In a fixed order, so that equal locations are equal strings. */
function locationOnly(parameters: Parameters): Parameters {
  const entries = locationFields.flatMap((name) => (parameters[name] === undefined ? [] : [[name, parameters[name]]]));
  return Object.fromEntries(entries);
}
