import type { Name, Uid } from '../../kubernetes/brands.ts';
import type { Age, Cluster } from '../../kubernetes/cluster.ts';
import { readNamespace } from '../../kubernetes/namespace-consent.ts';
import type { Claim, Pod, TransferApproval, TransferRequest, Volume } from '../../kubernetes/objects.ts';
import type { Place } from '../../kubernetes/places.ts';
import { readGrants } from '../../kubernetes/reference-grants.ts';
import { isLegalName, nameOf, resources } from '../../kubernetes/resources.ts';
import { covers } from './by-request/consent.ts';
import type { TransferWorld } from './world.ts';

export async function readClaim(cluster: Cluster, place: Place | undefined): Promise<Claim | undefined> {
  return place && cluster.get(nameOf(resources.claim, place.namespace, place.name));
}

export async function readVolume(cluster: Cluster, name: Name | undefined): Promise<Volume | undefined> {
  return name ? cluster.get(nameOf(resources.volume, undefined, name)) : undefined;
}

export async function readRequest(cluster: Cluster, place: Place | undefined): Promise<TransferRequest | undefined> {
  return place && [place.namespace, place.name].every(isLegalName)
    ? cluster.get(nameOf(resources.transferRequest, place.namespace, place.name))
    : undefined;
}

export async function readApproval(cluster: Cluster, place: Place | undefined): Promise<TransferApproval | undefined> {
  if (!place?.name || ![place.namespace, place.name].every(isLegalName)) return undefined;
  return cluster.get(nameOf(resources.transferApproval, place.namespace, place.name));
}

type Agreement = Pick<TransferWorld, 'approval' | 'grants' | 'sourceNamespace' | 'targetNamespace'>;

/** Reads the consent of the source's side to the transfer of this claim: an approval, or if none covers it, grants. */
export async function readAgreement(
  cluster: Cluster,
  request: TransferRequest | undefined,
  reading: Promise<Claim | undefined>,
): Promise<Agreement> {
  if (!request) return {};
  const { source, approvalName = '' } = request.spec;
  // The request has been read, so its namespace cannot be an earlier one.
  const [approval, sourceNamespace, targetNamespace] = await Promise.all([
    readApproval(cluster, { namespace: source.namespace, name: approvalName }),
    readNamespace(cluster, source.namespace),
    readNamespace(cluster, request.metadata.namespace),
  ]);
  const agreement = { approval, sourceNamespace, targetNamespace };
  return covers(approval, request, await reading)
    ? agreement
    : { ...agreement, grants: await readGrants(cluster, source.namespace) };
}

/** The pods that use the claim at a place. A terminated pod still does: it holds the claim until it is deleted. */
export async function readPodsUsing(cluster: Cluster, place: Place | undefined, age?: Age): Promise<Pod[]> {
  if (!place) return [];
  return cluster.list(resources.pod, place.namespace, age, {}, (pod) => uses(pod, place.name));
}

function uses(pod: Pod, claimName: string): boolean {
  const hasEnded = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
  return (pod.spec?.volumes ?? []).some(
    // The claim of an ephemeral volume is named after its pod.
    ({ name, persistentVolumeClaim, ephemeral }) =>
      persistentVolumeClaim?.claimName === claimName ||
      (!hasEnded && ephemeral && `${pod.metadata.name}-${name}` === claimName),
  );
}

/**
 * The pods that may still have the source's volume mounted, whatever happened to the source. A claim that was recreated
 * in its place has another volume: later pods use that one.
 */
export function mountingPods({ pods, source }: TransferWorld, sourceUid: Uid): Pod[] {
  const isRecreated = source !== undefined && source.metadata.uid !== sourceUid;
  const recreatedAt = isRecreated ? Date.parse(source.metadata.creationTimestamp ?? '') : Number.NaN;
  return pods.filter(({ spec, metadata }) => {
    return spec?.nodeName !== undefined && !(Date.parse(metadata.creationTimestamp ?? '') > recreatedAt);
  });
}

/** True if a volume belongs to this very claim, and not to another one of its name. */
export function holds(claim: Claim | undefined, volume: Volume | undefined): boolean {
  return claim !== undefined && claim.metadata.uid === volume?.spec.claimRef?.uid;
}
