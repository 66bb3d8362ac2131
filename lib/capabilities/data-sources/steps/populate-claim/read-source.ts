import type { Cluster } from '../../../../kubernetes/cluster.ts';
import { isOfLackingKind } from '../../../../kubernetes/lacking-kind.ts';
import { isWrittenSince, readNamespace } from '../../../../kubernetes/namespace-consent.ts';
import type { Claim, Namespace } from '../../../../kubernetes/objects.ts';
import { readGrants } from '../../../../kubernetes/reference-grants.ts';
import { isLegalName, nameOf, resources } from '../../../../kubernetes/resources.ts';
import type { VolumeSnapshot } from '../../objects.ts';
import { sourceOf } from '../../reference.ts';
import { type Consent, isConsentGiven, isOwnSnapshot } from './consent.ts';
import type { PopulatingWorld } from './world.ts';

/** The snapshot that is wanted, and the link that refers to it. */
type Referenced = Pick<PopulatingWorld, 'link' | 'wanted'>;
type Source = Pick<
  PopulatingWorld,
  'grants' | 'areGrantsLacking' | 'namespace' | 'sourceNamespace' | 'snapshot' | 'content'
>;

/** Returns the snapshot that the claim asks for: by Longshore's own kind of reference, or through its link. */
export async function readReferenced(cluster: Cluster, claim: Claim): Promise<Referenced> {
  const source = sourceOf(claim);
  if (source?.type === 'reference') return { wanted: { namespace: source.namespace, name: source.name } };
  if (source?.type !== 'link' || !isLegalName(source.name)) return {};
  const { namespace = '' } = claim.metadata;
  const link = await cluster.get(nameOf(resources.snapshotLink, namespace, source.name));
  if (!link) return {};
  return { link, wanted: { namespace: link.spec.source.namespace || namespace, name: link.spec.source.name } };
}

export async function readSource(
  cluster: Cluster,
  claim: Claim,
  referenced: Referenced,
  prime: Claim | undefined,
): Promise<Source> {
  const { link, wanted } = referenced;
  if (!wanted || ![wanted.namespace, wanted.name].every(isLegalName)) return {};
  const [consent, snapshot] = await Promise.all([
    readConsent(cluster, claim, referenced, prime),
    cluster.get(nameOf(resources.snapshot, wanted.namespace, wanted.name)),
  ]);
  // Without a grant, an error on reading the snapshot must not disclose that it exists.
  if (!isConsentGiven(claim, link, wanted, consent)) return { ...consent, snapshot };
  const contentName = snapshot?.status?.boundVolumeSnapshotContentName;
  // Once the volume is made, nothing more is copied from it.
  const isNeeded = contentName !== undefined && isLegalName(contentName) && !prime?.spec.volumeName;
  const [content, sourceNamespace] = await Promise.all([
    isNeeded ? cluster.get(nameOf(resources.snapshotContent, undefined, contentName)) : undefined,
    readSourceNamespace(cluster, claim, referenced, snapshot, consent.namespace),
  ]);
  return { ...consent, sourceNamespace, snapshot, content };
}

/**
 * The grants of the snapshot's owner. The API server answers at once from its cache: that is sufficient for making
 * copies, which users have no access to. The answer must be consistent before a claim is refused, and before anyone
 * gets the data.
 */
async function readConsent(
  cluster: Cluster,
  claim: Claim,
  { link, wanted }: Referenced,
  prime: Claim | undefined,
): Promise<Consent> {
  if (!wanted || isOwnSnapshot(link)) return { grants: [] };
  const [namespace, recent] = await Promise.all([
    readNamespace(cluster, claim.metadata.namespace),
    readGrants(cluster, wanted.namespace, prime?.spec.volumeName ? 'present' : 'recent'),
  ]);
  const isEnough = prime?.spec.volumeName || isConsentGiven(claim, link, wanted, { grants: recent, namespace });
  const grants = isEnough ? recent : await readGrants(cluster, wanted.namespace);
  return { namespace, grants, ...(isOfLackingKind(grants) ? { areGrantsLacking: true } : {}) };
}

/**
 * The namespace, to check that it is the one that was meant when the snapshot was named. A reference that was written
 * after the snapshot had been taken proves that without it; so does a snapshot that is still the one that was restored.
 */
async function readSourceNamespace(
  cluster: Cluster,
  claim: Claim,
  { link, wanted }: Referenced,
  snapshot: VolumeSnapshot | undefined,
  own: Namespace | undefined,
): Promise<Namespace | undefined> {
  if (isOwnSnapshot(link) || (snapshot && isWrittenSince(link ?? claim, snapshot))) return undefined;
  return wanted?.namespace === claim.metadata.namespace ? own : readNamespace(cluster, wanted?.namespace);
}
