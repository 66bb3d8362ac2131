import type { Claim } from '../../lib/kubernetes/objects.ts';
import type { ClusterClient, Transfer } from '../support/cluster-client.ts';
import { untilBound } from './case-waits.ts';

/** The metadata of an existing object is more than names it. */
export function named<T extends { metadata: Claim['metadata'] }>(object: T): T {
  const { namespace, name } = object.metadata;
  return { ...object, metadata: namespace === undefined ? { name } : { namespace, name } };
}

/** What a StatefulSet does at once when its claim is gone: the same name, another claim, another volume. */
export async function remakeSource(client: ClusterClient, { source, volume }: Transfer): Promise<Claim> {
  await client.untilGone(source);
  await client.create({ ...volume, metadata: { name: `${volume.metadata.name}-2` } });
  const { volumeName: _, ...spec } = source.spec;
  await client.create({ ...named(source), spec });
  return untilBound(client, source);
}
