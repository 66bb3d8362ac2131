import type { Uid } from '../../kubernetes/brands.ts';
import type { Claim, ClusterObject } from '../../kubernetes/objects.ts';
import type { Key } from '../../kubernetes/resources.ts';

/** Longshore's own namespace, which users have no access to. It holds the copies from which claims are populated. */
export const systemNamespace = 'longshore-system';

/** On a claim from before the first copy is made until the last one is deleted. */
export const finalizer = 'longshore.dev/populate';

/** On every copy: the claim that it is for, as `<namespace>/<name>/<uid>`. */
export const claimAnnotation = 'longshore.dev/populates';

/** On the copied content: the snapshot that it is a copy of, as `<namespace>/<name>/<uid>`. */
export const snapshotAnnotation = 'longshore.dev/copy-of';

/** On a prime claim: the node last requested for its volume. The provisioner removes a node that is not suitable. */
export const nodeAnnotation = 'longshore.dev/selected-node';

const prefix = 'populate-';

/** The common name of the three copies for a claim: the content, the snapshot, and the prime claim. */
export function copyNameOf(claim: Claim): string {
  return copyNameFor(claim.metadata.uid ?? '');
}

export function copyNameFor(claimUid: Uid): string {
  return `${prefix}${claimUid}`;
}

/** True if a name in Longshore's namespace is that of copies, whose claim may be gone. */
export function isCopyName({ namespace, name }: Key): boolean {
  return namespace === systemNamespace && name.startsWith(prefix);
}

/** Only objects beyond the reach of users count: elsewhere, the owner of an object can write any annotation. */
export function isCopy({ metadata }: Pick<ClusterObject, 'metadata'>): boolean {
  const { namespace = systemNamespace, annotations } = metadata;
  return namespace === systemNamespace && annotations?.[claimAnnotation] !== undefined;
}
