import type { Cluster } from '../cluster/cluster.ts';
import type { Claim, Pod, TransferApproval, TransferRequest, Volume } from '../cluster/objects.ts';
import { nameOf, resources } from '../cluster/resources.ts';
import type { World } from '../reconcile/step.ts';
import type { Place } from './marks.ts';

/** Everything that a transfer concerns, as it was read. */
export interface TransferWorld extends World {
  readonly request?: TransferRequest | undefined;
  readonly approval?: TransferApproval | undefined;
  readonly source?: Claim | undefined;
  readonly target?: Claim | undefined;
  readonly volume?: Volume | undefined;
  /** The target once more, as the server confirmed it to be its present state. */
  readonly confirmed?: Claim | undefined;
  /** Pods that name the source claim, in the sense in which the cluster protects a claim from being deleted under them. */
  readonly pods: Pod[];
  readonly readAt: Date;
}

export function readClaim(cluster: Cluster, place: Place | undefined): Promise<Claim | undefined> {
  return place ? cluster.get<Claim>(nameOf(resources.claim, place.namespace, place.name)) : absent();
}

export function readVolume(cluster: Cluster, name: string | undefined): Promise<Volume | undefined> {
  return name ? cluster.get<Volume>(nameOf(resources.volume, undefined, name)) : absent();
}

export function readRequest(cluster: Cluster, place: Place | undefined): Promise<TransferRequest | undefined> {
  return place
    ? cluster.get<TransferRequest>(nameOf(resources.transferRequest, place.namespace, place.name))
    : absent();
}

export function readApproval(cluster: Cluster, place: Place | undefined): Promise<TransferApproval | undefined> {
  if (!place?.name) return absent();
  return cluster.get<TransferApproval>(nameOf(resources.transferApproval, place.namespace, place.name));
}

/** The pods that use the claim at a place. One that has ended still does: it holds the claim until it is deleted. */
export async function readPodsUsing(cluster: Cluster, place: Place | undefined): Promise<Pod[]> {
  if (!place) return [];
  const pods = await cluster.list<Pod>(resources.pod, place.namespace);
  return pods.filter((pod) => uses(pod, place.name));
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

export function placeOf(object: { metadata: { namespace?: string; name: string } }): Place {
  return { namespace: object.metadata.namespace ?? '', name: object.metadata.name };
}

/** Whether a volume is this claim's, and not only that of a claim of its name. */
export function holds(claim: Claim | undefined, volume: Volume | undefined): boolean {
  return claim !== undefined && claim.metadata.uid === volume?.spec.claimRef?.uid;
}

function absent(): Promise<undefined> {
  return Promise.resolve(undefined);
}
