import type { NamespaceName, Uid } from './brands.ts';
import type { Cluster } from './cluster.ts';
import type { ClusterObject, Namespace } from './objects.ts';
import { isLegalName, nameOf, resources } from './resources.ts';

/**
 * Who agrees to something with a namespace can only write its name, and that name may be somebody else's by the time it is
 * read: a namespace is deleted and made anew in seconds. So what was agreed to counts for the namespace that there was
 * then, and for no later one, unless it is confirmed: written anew, or given this annotation.
 */
export const confirmationAnnotation = 'longshore.dev/namespace-uids';

/**
 * The same for whom a claim is offered to. One claim can accept a volume from one namespace and be offered to another: who
 * confirms from where it comes has said nothing of where it goes.
 */
export const destinationAnnotation = 'longshore.dev/destination-namespace-uids';

/** Confirms any namespace of that name, such as one that is recreated for each test run. */
const anyNamespace = '*';

/** The namespace as it is now. Read it after whatever is to be in it: then it cannot be an earlier one than that. */
export async function readNamespace(cluster: Cluster, name: NamespaceName | undefined): Promise<Namespace | undefined> {
  return name && isLegalName(name) ? cluster.get(nameOf(resources.namespace, undefined, name)) : undefined;
}

/** Whether this consent applies to the present namespace, and not to an earlier one of its name. */
export function appliesTo(consent: ClusterObject, namespace: Namespace | undefined): boolean {
  if (!namespace) return false;
  return isConfirmedFor(consent, namespace.metadata.uid) || isWrittenSince(consent, namespace);
}

/** Whether its owner has said that the namespace with this uid is meant, or whichever has the name. */
export function isConfirmedFor(
  { metadata }: ClusterObject,
  uid: Uid | undefined,
  annotation = confirmationAnnotation,
): boolean {
  const confirmed = metadata.annotations?.[annotation]?.split(',').map((each) => each.trim()) ?? [];
  return confirmed.includes(anyNamespace) || (uid !== undefined && confirmed.includes(uid));
}

/**
 * Whether it was made when the other object was there already. Seconds are all that is kept. A later change of what it says
 * does not count: the server notes when a manager last changed anything of its own, and that may have been a label.
 */
export function isWrittenSince({ metadata }: ClusterObject, other: ClusterObject): boolean {
  return Date.parse(metadata.creationTimestamp ?? '') >= Date.parse(other.metadata.creationTimestamp ?? '');
}

/** What the owner can do if the consent was for an earlier namespace of this name. */
export function howToConfirm(namespace: Namespace): string {
  return `${whyUnconfirmed(namespace)}, or delete it and create it again`;
}

/** The same for objects that hold data, or may come to, and so must not be deleted. */
export function whyUnconfirmed({ metadata: { name, uid, creationTimestamp } }: Namespace): string {
  return `it was written before namespace ${name} was created (${creationTimestamp}), so it was meant for an earlier namespace of that name. Confirm it with the annotation ${confirmationAnnotation}: ${uid}`;
}
