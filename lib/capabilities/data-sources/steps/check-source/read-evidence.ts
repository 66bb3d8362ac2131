import type { Name, NamespaceName } from '../../../../kubernetes/brands.ts';
import type { Cluster } from '../../../../kubernetes/cluster.ts';
import { appliesTo, readNamespace } from '../../../../kubernetes/namespace-consent.ts';
import type { Claim, ClusterObject, Volume } from '../../../../kubernetes/objects.ts';
import { isGranted, readGrants } from '../../../../kubernetes/reference-grants.ts';
import type { Resource } from '../../../../kubernetes/resource.ts';
import { groupOf, isLegalName, nameOf, resources } from '../../../../kubernetes/resources.ts';
import type { CheckedSource } from '../../judge/checked.ts';
import type { Evidence } from '../../judge/judgement.ts';
import { makerOf } from '../../judge/restored.ts';
import type { VolumeSnapshot, VolumeSnapshotContent } from '../../objects.ts';
import { belongsTo, originOf, provisionedNameOf } from '../../origin.ts';
import { type Provisioned, type Work, workOf } from '../../reference.ts';

/** Reads what must be known of the source in addition to the claim and its volume. */
export async function readEvidence(
  cluster: Cluster,
  claim: Claim,
  source: CheckedSource,
  volume: Volume | undefined,
): Promise<Evidence> {
  const { phase } = claim.status ?? {};
  if (source.type === 'transfer' || source.type === 'dropped' || phase === 'Lost') return {};
  const work = workOf(source);
  if (phase === 'Bound') return belongsTo(volume, claim) ? readForVolume(cluster, claim, work, volume) : {};
  if (work.by === 'populator') return { populators: await cluster.list(resources.volumePopulator, undefined) };
  // Without a volume there is nothing to compare, and a source in another namespace is not read.
  return work.source.namespace === undefined ? readSource(cluster, claim, work.source) : {};
}

/** If the volume itself is sufficient, nothing else is read. */
async function readForVolume(cluster: Cluster, claim: Claim, work: Work, volume: Volume): Promise<Evidence> {
  const origin = originOf(claim, volume);
  if (work.by === 'populator') {
    const isClear = origin === 'made' || origin === 'transferred';
    return isClear ? {} : { populators: await cluster.list(resources.volumePopulator, undefined) };
  }
  if (origin === 'chosen') {
    const name = provisionedNameOf(claim);
    return { unusedVolume: await find<Volume>(cluster, resources.volume, undefined, name) };
  }
  const isComparable = origin === 'made' && makerOf(volume) !== undefined;
  if (!isComparable || !(await mayBeSeen(cluster, claim, work.source))) return {};
  const source = await readSource(cluster, claim, work.source);
  return { ...source, ...(await readDriver(cluster, source)) };
}

/** Nothing about another namespace is disclosed without a grant from its owner, not even by omission. */
async function mayBeSeen(cluster: Cluster, claim: Claim, { type, namespace, name }: Provisioned): Promise<boolean> {
  const own = claim.metadata.namespace ?? '';
  if (namespace === undefined || namespace === own) return true;
  if (!isLegalName(namespace)) return false;
  const from = { group: groupOf(resources.claim), kind: resources.claim.kind, namespace: own };
  const { kind, ...resource } = type === 'snapshot' ? resources.snapshot : resources.claim;
  const [grants, present] = await Promise.all([readGrants(cluster, namespace), readNamespace(cluster, own)]);
  const meant = grants.filter((grant) => appliesTo(grant, present));
  return isGranted(meant, { from, to: { group: groupOf(resource), kind, name } });
}

async function readSource(cluster: Cluster, claim: Claim, { type, name, namespace }: Provisioned): Promise<Evidence> {
  const place = namespace ?? claim.metadata.namespace;
  if (type === 'snapshot') return { snapshot: await find<VolumeSnapshot>(cluster, resources.snapshot, place, name) };
  return { sourceClaim: await find<Claim>(cluster, resources.claim, place, name) };
}

async function readDriver(cluster: Cluster, { snapshot, sourceClaim }: Evidence): Promise<Evidence> {
  const { boundVolumeSnapshotContentName } = snapshot?.status ?? {};
  const [content, sourceVolume] = await Promise.all([
    find<VolumeSnapshotContent>(cluster, resources.snapshotContent, undefined, boundVolumeSnapshotContentName),
    find<Volume>(cluster, resources.volume, undefined, sourceClaim?.spec.volumeName),
  ]);
  return { content, sourceVolume };
}

/** User input is used as a name only if it is a legal one. */
export async function find<T extends ClusterObject>(
  cluster: Cluster,
  resource: Resource<T>,
  namespace: NamespaceName | undefined,
  name: Name | undefined,
): Promise<T | undefined> {
  const names = [name ?? '', ...(resource.namespaced ? [namespace ?? ''] : [])];
  return names.every(isLegalName) ? cluster.get(nameOf(resource, namespace, name ?? '')) : undefined;
}
