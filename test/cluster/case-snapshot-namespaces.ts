import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterObject, Namespace } from '../../lib/kubernetes/objects.ts';
import type { ClusterClient } from '../support/cluster-client.ts';

const secondMs = 1_000;

export function namespaceNamed(name: string): Namespace {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** A namespace goes with all that is in it, and somebody else makes one of its name. Answers the new one. */
export async function makeAnew(client: ClusterClient, name: string): Promise<ClusterObject> {
  const namespace = namespaceNamed(name);
  await client.delete(namespace);
  await client.untilGone(namespace);
  // The server keeps whole seconds: in the same one nobody could tell what was there first.
  await pause(secondMs);
  await client.createNamespace(name);
  return client.until(namespace);
}
