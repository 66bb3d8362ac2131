import type { Cluster } from '../../../../kubernetes/cluster.ts';
import type { Key } from '../../../../kubernetes/resources.ts';
import { isSource, readAccepting, readOffered } from '../../by-annotation/read.ts';
import { readClaim } from '../../read.ts';
import type { TransferWorld } from '../../world.ts';

/** Reads a claim, and the claim and the volume that its marks lead to. */
export async function read(cluster: Cluster, { namespace = '', name }: Key, now: Date): Promise<TransferWorld> {
  const claim = await readClaim(cluster, { namespace, name });
  if (!claim) return { pods: [], readAt: now };
  return isSource(claim) ? readOffered(cluster, claim, now) : readAccepting(cluster, claim, now);
}
