import {
  confirmationAnnotation,
  destinationAnnotation,
  isConfirmedFor,
} from '../../../kubernetes/namespace-consent.ts';
import type { Claim, Namespace } from '../../../kubernetes/objects.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { reject, waitFor } from '../../../reconcile/obstacle.ts';
import type { TransferObstacle } from '../reasons.ts';
import type { TransferWorld } from '../world.ts';
import type { Offer } from './volume-marks.ts';

/**
 * An offer is meant for the namespace that existed when it was written, and an acceptance for the source's namespace at
 * that time. A namespace that is recreated under the same name may belong to others.
 */
export function destinationObstacle(world: TransferWorld, offer: Offer): TransferObstacle | undefined {
  const { targetNamespace } = world;
  const { namespace } = offer.destination;
  if (!targetNamespace) return missing(namespace, displayName(offer.destination));
  if (isMeant(offer, targetNamespace)) return undefined;
  const source = displayName(offer.source);
  const message = `namespace ${namespace} has been recreated since claim ${source} was offered to ${displayName(offer.destination)}, so no claim there gets the volume. If the new namespace is meant, the owner of claim ${source} must give that claim the annotation ${destinationAnnotation}: ${targetNamespace.metadata.uid}`;
  return reject('NamespaceReplaced', message);
}

/** An acceptance is for the source in the namespace of that time. */
export function acceptorObstacle(
  target: Claim,
  { source, home }: Offer,
  there: Namespace | undefined,
): TransferObstacle | undefined {
  const uid = home?.uid ?? there?.metadata.uid;
  const madeAt = home?.madeAt ?? Date.parse(there?.metadata.creationTimestamp ?? '');
  if (!(Date.parse(target.metadata.creationTimestamp ?? '') < madeAt)) return undefined;
  if (isConfirmedFor(target, uid)) return undefined;
  const message = `claim ${displayName(target.metadata)} was created before namespace ${source.namespace}, so it may mean a claim in an earlier namespace of that name. If the present namespace is meant, its owner must give it the annotation ${confirmationAnnotation}: ${uid}`;
  return reject('SourceNamespaceReplaced', message);
}

export function missing(namespace: string, destination: string): TransferObstacle {
  const message = `namespace ${namespace} does not exist, so claim ${destination} cannot be created. If another claim is meant, name it in the annotation transferRequest. Otherwise the transfer continues when the namespace exists`;
  return waitFor('NamespaceMissing', message);
}

/** An earlier version released the source without recording the namespace: it existed by then. */
function isMeant({ destinationNamespace, releasedAt }: Offer, { metadata }: Namespace): boolean {
  if (destinationNamespace) return destinationNamespace === metadata.uid;
  return releasedAt !== undefined && Date.parse(metadata.creationTimestamp ?? '') <= releasedAt.getTime();
}
