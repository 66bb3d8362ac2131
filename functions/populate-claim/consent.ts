import type { Claim, ReferenceGrant } from '../../lib/cluster/objects.ts';
import type { Place } from '../../lib/cluster/places.ts';
import { isGranted, type Reference } from '../../lib/cluster/reference-grants.ts';
import { displayName, groupOf, isLegalName, resources } from '../../lib/cluster/resources.ts';
import type { VolumeSnapshotLink } from '../../lib/data-sources/objects.ts';
import { sourceOf } from '../../lib/data-sources/reference.ts';
import type { PopulatingWorld } from './read.ts';
import type { Problem } from './tell.ts';

/**
 * What stands between a claim and the snapshot that it names, before anything of the snapshot itself may be told: whoever
 * has no grant must not even learn whether there is such a snapshot.
 */
export function consentProblem(world: PopulatingWorld, claim: Claim): Problem | undefined {
  const source = sourceOf(claim);
  const { link, wanted } = world;
  if (source?.type === 'link' && !link) {
    const message = `there is no VolumeSnapshotLink ${displayName({ ...placeOfClaim(claim), name: source.name })} (yet): create it, and the claim is populated`;
    return { verdict: 'wait', reason: 'LinkMissing', message, endsWork: true };
  }
  if (link?.metadata.deletionTimestamp) {
    const message = `VolumeSnapshotLink ${displayName(link.metadata)} is being deleted: create it anew, and the claim is populated`;
    return { verdict: 'wait', reason: 'LinkMissing', message, endsWork: true };
  }
  if (!wanted || ![wanted.namespace, wanted.name].every(isLegalName)) {
    const message = `its data source names no snapshot: it must be <namespace>.<name>, such as prod.backup; delete the claim and create it anew`;
    return { verdict: 'reject', reason: 'SourceInvalid', message, endsWork: true };
  }
  return grantProblem(world, claim);
}

function grantProblem({ link, wanted, grants = [] }: PopulatingWorld, claim: Claim): Problem | undefined {
  if (!wanted || isConsentGiven(claim, link, wanted, grants)) return undefined;
  const { from, to } = referenceOf(claim, link, wanted);
  const isOwn = wanted.namespace === from.namespace;
  const own = isOwn ? ', which is needed because a namespace is named' : '';
  const message = `no ReferenceGrant in namespace ${wanted.namespace} lets ${from.kind} (group ${JSON.stringify(from.group)}) of namespace ${from.namespace} refer to VolumeSnapshot ${wanted.name} (group ${to.group})${own}: somebody with rights there can create one (see docs/snapshots.md)`;
  return { verdict: 'wait', reason: 'NotGranted', message, endsWork: true };
}

export function isConsentGiven(
  claim: Claim,
  link: VolumeSnapshotLink | undefined,
  wanted: Place,
  grants: readonly ReferenceGrant[],
): boolean {
  // A link that names no namespace means its own, and needs nobody's leave.
  return (link && !link.spec.source.namespace) || isGranted(grants, referenceOf(claim, link, wanted));
}

function referenceOf(claim: Claim, link: VolumeSnapshotLink | undefined, wanted: Place): Reference {
  const { kind, ...resource } = link ? resources.snapshotLink : resources.claim;
  return {
    from: { group: groupOf(resource), kind, namespace: claim.metadata.namespace ?? '' },
    to: { group: groupOf(resources.snapshot), kind: resources.snapshot.kind, name: wanted.name },
  };
}

function placeOfClaim({ metadata }: Claim): { namespace?: string } {
  return metadata.namespace ? { namespace: metadata.namespace } : {};
}
