import type { Cluster } from '../../lib/cluster/cluster.ts';
import type { Key } from '../../lib/cluster/resources.ts';
import { isSource, readAccepting, readOffered } from '../../lib/transfers/by-annotation/read.ts';
import { readClaim, type TransferWorld } from '../../lib/transfers/world.ts';

/** Reads what a claim says, and the claim and the volume that this leads to. */
export async function read(cluster: Cluster, { namespace = '', name }: Key, now: Date): Promise<TransferWorld> {
  const claim = await readClaim(cluster, { namespace, name });
  if (!claim) return { pods: [], readAt: now };
  return isSource(claim) ? readOffered(cluster, claim, now) : readAccepting(cluster, claim, now);
}
