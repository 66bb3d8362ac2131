import type { Cluster } from '../../../../kubernetes/cluster.ts';
import type { Claim, KubernetesEvent } from '../../../../kubernetes/objects.ts';
import { resources } from '../../../../kubernetes/resources.ts';
import { systemNamespace } from '../../names.ts';

/** By then a working provisioner has answered, or is busy with much data and has not reported yet. */
const patienceMs = 5_000;

/**
 * The provisioner's message about a prime claim that it cannot finish: users have no access to Longshore's namespace,
 * so the message has to be repeated to them.
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

/** A repeated Event is the same object with a new version. */
function versionOf({ metadata }: KubernetesEvent): number {
  return Number(metadata.resourceVersion ?? 0);
}
