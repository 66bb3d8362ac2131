import type { Claim } from '../../../lib/kubernetes/objects.ts';
import { isGranted } from '../../../lib/kubernetes/reference-grants.ts';
import { groupOf, resources } from '../../../lib/kubernetes/resources.ts';
import type { Driver, World } from './rule.ts';

/**
 * The place where a provisioner looks for the data of a claim.
 *
 * empty      none: the volume is empty at first
 * other      a kind that it does not support, which is left to others
 * refused    a reference that it does not follow, and the reason
 */
export type Sought =
  | { type: 'empty' }
  | { type: 'other'; kind: string }
  | { type: 'refused'; why: string }
  | { type: 'snapshot' | 'claim'; namespace: string; name: string };

export function soughtBy({ options }: Driver, world: World, claim: Claim): Sought {
  if (options.knowsSources === false) return { type: 'empty' };
  const { dataSource, dataSourceRef } = claim.spec;
  const written = dataSource ?? dataSourceRef;
  if (!written) return { type: 'empty' };
  const own = claim.metadata.namespace ?? '';
  const group = written.apiGroup ?? '';
  const namespace = (dataSource ? undefined : dataSourceRef?.namespace) || own;
  if (namespace !== own) {
    if (!options.crossesNamespaces) return refused('a namespace is named, and the gate for that is off');
    const from = { group: '', kind: resources.claim.kind, namespace: own };
    const to = { group, kind: written.kind, name: written.name };
    const grants = world.all(resources.referenceGrant, namespace);
    if (!isGranted(grants, { from, to })) return refused(`${written.kind} ${namespace}/${written.name} is not granted`);
  }
  // The real one does not check the group of a claim either.
  if (written.kind === resources.claim.kind) return { type: 'claim', namespace, name: written.name };
  if (written.kind !== resources.snapshot.kind) return { type: 'other', kind: written.kind };
  if (group !== groupOf(resources.snapshot)) return refused(`${group} is not the group of snapshots`);
  return { type: 'snapshot', namespace, name: written.name };
}

function refused(why: string): Sought {
  return { type: 'refused', why };
}
