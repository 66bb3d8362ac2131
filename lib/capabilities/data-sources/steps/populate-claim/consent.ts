import { appliesTo, isWrittenSince, whyUnconfirmed } from '../../../../kubernetes/namespace-consent.ts';
import type { Claim, Namespace, ReferenceGrant } from '../../../../kubernetes/objects.ts';
import type { Place } from '../../../../kubernetes/places.ts';
import { isGranted, type Reference } from '../../../../kubernetes/reference-grants.ts';
import { displayName, groupOf, isLegalName, resources } from '../../../../kubernetes/resources.ts';
import { reject, waitFor } from '../../../../reconcile/obstacle.ts';
import { createAnew } from '../../advice.ts';
import type { VolumeSnapshotLink } from '../../objects.ts';
import type { DataObstacle } from '../../reasons.ts';
import { sourceOf } from '../../reference.ts';
import type { PopulatingWorld } from './world.ts';

/**
 * The obstacles between a claim and the snapshot that it names, checked before anything about the snapshot is
 * disclosed: without a grant, not even its existence may be.
 */
export function consentObstacle(world: PopulatingWorld, claim: Claim): DataObstacle | undefined {
  const source = sourceOf(claim);
  const { link, wanted } = world;
  if (source?.type === 'link' && !link) {
    const message = `there is no VolumeSnapshotLink ${displayName({ ...placeOfClaim(claim), name: source.name })} (yet): create it, and the claim is populated`;
    return waitFor('LinkMissing', message);
  }
  if (link?.metadata.deletionTimestamp) {
    const message = `VolumeSnapshotLink ${displayName(link.metadata)} is being deleted: create it again, and the claim is populated`;
    return waitFor('LinkMissing', message);
  }
  if (!wanted || ![wanted.namespace, wanted.name].every(isLegalName)) {
    const message = `its data source names no snapshot: it must be <namespace>.<name>, such as prod.backup; ${createAnew('with such a name')}`;
    return reject('SourceInvalid', message);
  }
  return grantObstacle(world, claim) ?? recreatedObstacle(world, claim);
}

/**
 * A missing grant and one that does not count for this namespace are reported in the same words: they contain only what
 * the claim's creator may know of its own namespace.
 */
function grantObstacle(world: PopulatingWorld, claim: Claim): DataObstacle | undefined {
  const { link, wanted, namespace } = world;
  if (!wanted || isConsentGiven(claim, link, wanted, world)) return undefined;
  const { from, to } = referenceOf(claim, link, wanted);
  if (world.areGrantsLacking) {
    const message = `a ReferenceGrant in namespace ${wanted.namespace} must allow this, but the cluster does not have the kind ReferenceGrant (group ${groupOf(resources.referenceGrant)}): an administrator of the cluster can add it with longshore install, or with the CRDs of the Gateway API`;
    return waitFor('NotGranted', message);
  }
  const isOwn = wanted.namespace === from.namespace;
  const own = isOwn ? ', which is needed because a namespace is named' : '';
  const earlier = namespace && !isOwn ? `; if there is one already, ${whyUnconfirmed(namespace)}` : '';
  const message = `no ReferenceGrant in namespace ${wanted.namespace} lets ${from.kind} (group ${JSON.stringify(from.group)}) of namespace ${from.namespace} refer to VolumeSnapshot ${wanted.name} (group ${to.group})${own}: someone with rights there can create one (longshore explain NotGranted says how)${earlier}`;
  return waitFor('NotGranted', message);
}

/**
 * The snapshot's namespace has been recreated since the snapshot was named: the snapshot meant then is gone, and the
 * one with its name now may belong to others, whose data was not requested.
 */
function recreatedObstacle(
  { link, snapshot, sourceNamespace }: PopulatingWorld,
  claim: Claim,
): DataObstacle | undefined {
  const referrer = link ?? claim;
  if (!snapshot || isOwnSnapshot(link) || isWrittenSince(referrer, snapshot)) return undefined;
  if (!sourceNamespace) {
    const message = `VolumeSnapshot ${displayName(snapshot.metadata)} is gone with its namespace`;
    return waitFor('SnapshotMissing', message);
  }
  if (appliesTo(referrer, sourceNamespace)) return undefined;
  const who = link ? `VolumeSnapshotLink ${displayName(link.metadata)}` : 'this claim';
  const message = `${who} names a snapshot of namespace ${sourceNamespace.metadata.name}: ${whyUnconfirmed(sourceNamespace)}`;
  return waitFor('SourceNamespaceReplaced', message);
}

/** The grants of the snapshot's owner, and the namespace that they are for. */
export interface Consent {
  readonly grants?: readonly ReferenceGrant[] | undefined;
  readonly namespace?: Namespace | undefined;
  readonly areGrantsLacking?: boolean | undefined;
}

export function isConsentGiven(
  claim: Claim,
  link: VolumeSnapshotLink | undefined,
  wanted: Place,
  { grants = [], namespace }: Consent,
): boolean {
  if (isOwnSnapshot(link)) return true;
  const meant = grants.filter((grant) => appliesTo(grant, namespace));
  return isGranted(meant, referenceOf(claim, link, wanted));
}

/** A link that names no namespace refers to its own, and needs no grant. */
export function isOwnSnapshot(link: VolumeSnapshotLink | undefined): boolean {
  return link !== undefined && !link.spec.source.namespace;
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
