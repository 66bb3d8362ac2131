import type { Cluster } from '../../../../kubernetes/cluster.ts';
import type { Claim, KubernetesEvent } from '../../../../kubernetes/objects.ts';
import { resources } from '../../../../kubernetes/resources.ts';
import { systemNamespace } from '../../names.ts';

/** A provisioner that is well has answered by then, or is busy with much data and has said nothing yet. */
const patienceMs = 5_000;

/**
 * What a provisioner says about a prime claim that it does not get done with: its user sees nothing of Longshore's
 * namespace, so it has to be repeated to them.
 */
export async function readTrouble(cluster: Cluster, prime: Claim | undefined, now: Date): Promise<string | undefined> {
  if (!prime || prime.spec.volumeName || !hasWaited(prime, now)) return undefined;
  const { uid = '' } = prime.metadata;
  const isAbout = ({ regarding, type }: KubernetesEvent) => type === 'Warning' && regarding?.uid === uid;
  const fields = { 'regarding.uid': uid };
  const about = await cluster.list(resources.event, systemNamespace, 'recent', fields, isAbout);
  return about.sort((one, other) => versionOf(one) - versionOf(other)).at(-1)?.note;
}

export function hasWaited({ metadata }: Claim, now: Date): boolean {
  return now.getTime() - Date.parse(metadata.creationTimestamp ?? '') > patienceMs;
}

/** An Event that is repeated is the same object with a new version. */
function versionOf({ metadata }: KubernetesEvent): number {
  return Number(metadata.resourceVersion ?? 0);
}
