import type { Claim, ClusterObject, Volume } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import {
  type Content,
  contentResource,
  nodeResource,
  type Snapshot,
  secretResource,
  snapshotClassResource,
} from '../kinds.ts';
import { keepContent } from './content.ts';
import { keepSnapshot } from './keep-snapshot.ts';
import { provision } from './provision.ts';
import { endCloning, release } from './release.ts';
import type { Driver, Step, World } from './rule.ts';
import { tendContent } from './sidecar.ts';

/** One loop of one sidecar: the kind of its objects, and its rule for each of them. */
export interface Sidecar {
  readonly name: string;
  readonly resource: Resource;
  next(world: World, object: ClusterObject): Step;
}

/** The snapshot controller, of which a cluster has one, and the sidecars of each driver. */
export function sidecarsOf(drivers: readonly Driver[]): Sidecar[] {
  return [
    loop<Snapshot>('snapshots', resources.snapshot, keepSnapshot),
    loop<Content>('contents', contentResource, keepContent),
    loop<Claim>('cloning', resources.claim, endCloning),
    ...drivers.flatMap((driver) => [
      loop<Claim>(`provision ${driver.options.name}`, resources.claim, (...of) => provision(driver, ...of)),
      loop<Volume>(`release ${driver.options.name}`, resources.volume, (...of) => release(driver, ...of)),
      loop<Content>(`contents of ${driver.options.name}`, contentResource, (...of) => tendContent(driver, ...of)),
    ]),
  ];
}

/** Every kind that some rule reads, with referenced kinds first. */
export const seen: readonly Resource[] = [
  resources.storageClass,
  snapshotClassResource,
  secretResource,
  nodeResource,
  resources.referenceGrant,
  contentResource,
  resources.snapshot,
  resources.volume,
  resources.claim,
];

function loop<T extends ClusterObject>(
  name: string,
  resource: Resource<T>,
  next: (world: World, object: T) => Step,
): Sidecar {
  return { name, resource, next: (world, object) => next(world, object as T) };
}
