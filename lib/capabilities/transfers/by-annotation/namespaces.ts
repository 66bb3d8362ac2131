import {
  confirmationAnnotation,
  destinationAnnotation,
  isConfirmedFor,
} from '../../../kubernetes/namespace-consent.ts';
import type { Claim, Namespace } from '../../../kubernetes/objects.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { type Problem, reject, waitFor } from '../source-checks.ts';
import type { TransferWorld } from '../world.ts';
import type { Offer } from './volume-marks.ts';

/**
 * An offer is meant for the namespace that there was when it was written, and an acceptance for the one that its source was
 * in. A namespace that is made anew under the same name may be somebody else's.
 */
export function destinationProblem(world: TransferWorld, offer: Offer): Problem | undefined {
  const { targetNamespace } = world;
  const { namespace } = offer.destination;
  if (!targetNamespace) return missing(namespace, displayName(offer.destination));
  if (isMeant(offer, targetNamespace)) return undefined;
  const source = displayName(offer.source);
  const message = `namespace ${namespace} has been made anew since claim ${source} was offered to ${displayName(offer.destination)}, so that nobody there gets the volume: if the new one is meant, the owner of claim ${source} gives it the annotation ${destinationAnnotation}: ${targetNamespace.metadata.uid}`;
  return reject('NamespaceReplaced', message);
}

/** Whoever accepts means the source in the namespace of that time. */
export function acceptorProblem(
  target: Claim,
  { source, home }: Offer,
  there: Namespace | undefined,
): Problem | undefined {
  const uid = home?.uid ?? there?.metadata.uid;
  const madeAt = home?.madeAt ?? Date.parse(there?.metadata.creationTimestamp ?? '');
  if (!(Date.parse(target.metadata.creationTimestamp ?? '') < madeAt)) return undefined;
  if (isConfirmedFor(target, uid)) return undefined;
  const message = `claim ${displayName(target.metadata)} was created before namespace ${source.namespace} was made, and may have meant a claim in an earlier one of that name: if the present one is meant, its owner gives it the annotation ${confirmationAnnotation}: ${uid}`;
  return reject('SourceNamespaceReplaced', message);
}

export function missing(namespace: string, destination: string): Problem {
  const message = `namespace ${namespace} does not exist, so nobody can create claim ${destination}: where another claim is meant, the annotation transferRequest names it; else it goes on when the namespace is there`;
  return waitFor('NamespaceMissing', message);
}

/** An earlier version let the source go without taking note of the namespace: it was there by then. */
function isMeant({ destinationNamespace, releasedAt }: Offer, { metadata }: Namespace): boolean {
  if (destinationNamespace) return destinationNamespace === metadata.uid;
  return releasedAt !== undefined && Date.parse(metadata.creationTimestamp ?? '') <= releasedAt.getTime();
}
