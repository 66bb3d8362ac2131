import type { NamespaceName } from './brands.ts';
import type { Age, Cluster } from './cluster.ts';
import type { ReferenceGrant } from './objects.ts';
import { resources } from './resources.ts';

/** One reference that needs to be granted: an object of one namespace refers to an object of the grant's namespace. */
export interface Reference {
  from: { group: string; kind: string; namespace: string };
  to: { group: string; kind: string; name: string };
}

/** The grants of a namespace, in the version that the cluster serves. */
export function readGrants(cluster: Cluster, namespace: NamespaceName, age?: Age): Promise<ReferenceGrant[]> {
  return cluster.list(resources.referenceGrant, namespace, age);
}

/** True if any grant of the referred object's namespace allows the reference. */
export function isGranted(grants: readonly ReferenceGrant[], { from, to }: Reference): boolean {
  return grants.some(({ metadata, spec }) => {
    if (metadata.deletionTimestamp) return false;
    const isFrom = spec?.from?.some(
      ({ group, kind, namespace }) => group === from.group && kind === from.kind && namespace === from.namespace,
    );
    // A grant without a name is for all objects of the kind.
    const isTo = spec?.to?.some(
      ({ group, kind, name }) => group === to.group && kind === to.kind && (!name || name === to.name),
    );
    return isFrom === true && isTo === true;
  });
}
