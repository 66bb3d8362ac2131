import type { NamespaceName, Uid } from './brands.ts';
import type { Cluster } from './cluster.ts';
import type { ClusterObject, Namespace } from './objects.ts';
import { isLegalName, nameOf, resources } from './resources.ts';

/**
 * Consent to a namespace can only contain its name, and that name may belong to others by the time it is read: a
 * namespace is deleted and recreated in seconds. So consent is for the namespace that existed at that time, and for no
 * later one, unless it is confirmed: recreated, or given this annotation.
 */
export const confirmationAnnotation = 'longshore.dev/namespace-uids';

/**
 * The same for the destination of an offer. One claim can accept a volume from one namespace and be offered to another:
 * confirming the one does not confirm the other.
 */
export const destinationAnnotation = 'longshore.dev/destination-namespace-uids';

/** Confirms any namespace of that name, such as one that is recreated for each test run. */
const anyNamespace = '*';

/**
 * The namespace as it is now. Read it after the object that is to be in it: then it cannot be an earlier one than the
 * object's.
 */
export async function readNamespace(cluster: Cluster, name: NamespaceName | undefined): Promise<Namespace | undefined> {
  return name && isLegalName(name) ? cluster.get(nameOf(resources.namespace, undefined, name)) : undefined;
}

/** True if this consent applies to the present namespace, and not to an earlier one of its name. */
export function appliesTo(consent: ClusterObject, namespace: Namespace | undefined): boolean {
  if (!namespace) return false;
  return isConfirmedFor(consent, namespace.metadata.uid) || isWrittenSince(consent, namespace);
}

/** True if its owner has confirmed the namespace with this uid, or any of the name. */
export function isConfirmedFor(
  { metadata }: ClusterObject,
  uid: Uid | undefined,
  annotation = confirmationAnnotation,
): boolean {
  const confirmed = metadata.annotations?.[annotation]?.split(',').map((each) => each.trim()) ?? [];
  return confirmed.includes(anyNamespace) || (uid !== undefined && confirmed.includes(uid));
}

/**
 * True if it was not created before the other object. Only whole seconds are stored. A later change of its spec does not
 * count: the server records when a manager last changed any of its fields, and that may have been a label.
 */
export function isWrittenSince({ metadata }: ClusterObject, other: ClusterObject): boolean {
  return Date.parse(metadata.creationTimestamp ?? '') >= Date.parse(other.metadata.creationTimestamp ?? '');
}

/** The remedy for the owner if the consent was for an earlier namespace of this name. */
export function howToConfirm(namespace: Namespace): string {
  return `${whyUnconfirmed(namespace)}, or delete it and create it again`;
}

/** The same for objects that hold data, or may later, and so must not be deleted. */
export function whyUnconfirmed({ metadata: { name, uid, creationTimestamp } }: Namespace): string {
  return `it was written before namespace ${name} was created (${creationTimestamp}), so it was meant for an earlier namespace of that name. Confirm it with the annotation ${confirmationAnnotation}: ${uid}`;
}
