import type { Namespace } from '../../lib/kubernetes/objects.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { untilTime } from './case-waits.ts';

/** Other people have the name from now on. The server tells the two apart by whole seconds. */
export async function replaceNamespace(client: ClusterClient, namespace: Namespace): Promise<void> {
  const present = await client.until<Namespace>(namespace);
  await client.delete(namespace);
  await client.untilGone(namespace, 120_000);
  await untilTime(Date.parse(present.metadata.creationTimestamp ?? '') + 2_000);
  await client.createNamespace(namespace.metadata.name);
}
