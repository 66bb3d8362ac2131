import type { Uid } from '../../kubernetes/brands.ts';
import type { Claim, ClusterObject } from '../../kubernetes/objects.ts';
import type { Key } from '../../kubernetes/resources.ts';

/** Where the copies stand from which a claim is populated: in Longshore's own namespace, where no user gets at them. */
export const systemNamespace = 'longshore-system';

/** On a claim from before the first copy is made until the last one is deleted. */
export const finalizer = 'longshore.dev/populate';

/** On every copy: the claim that it is for, as `<namespace>/<name>/<uid>`. */
export const claimAnnotation = 'longshore.dev/populates';

/** On the copied content: the snapshot that it is a copy of, as `<namespace>/<name>/<uid>`. */
export const snapshotAnnotation = 'longshore.dev/copy-of';

/** On a prime claim: the node that its volume was last asked for, as its provisioner takes back one that does not do. */
export const nodeAnnotation = 'longshore.dev/selected-node';

const prefix = 'populate-';

/** The name of the three copies for a claim: the content, the snapshot, and the claim that is provisioned first. */
export function copyNameOf(claim: Claim): string {
  return copyNameFor(claim.metadata.uid ?? '');
}

export function copyNameFor(claimUid: Uid): string {
  return `${prefix}${claimUid}`;
}

/** Whether a name in Longshore's namespace is that of copies, whose claim may be gone. */
export function isCopyName({ namespace, name }: Key): boolean {
  return namespace === systemNamespace && name.startsWith(prefix);
}

/** Only what is out of users' reach: whoever owns an object elsewhere can write what they like on it. */
export function isCopy({ metadata }: Pick<ClusterObject, 'metadata'>): boolean {
  const { namespace = systemNamespace, annotations } = metadata;
  return namespace === systemNamespace && annotations?.[claimAnnotation] !== undefined;
}
