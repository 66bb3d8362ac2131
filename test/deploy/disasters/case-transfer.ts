import { expect } from '@jest/globals';
import type { Claim, Volume } from '../../../lib/kubernetes/objects.ts';
import { type ClusterClient, makeTransfer, type Transfer, untilComplete } from '../../support/cluster-client.ts';

/** A claim of namespace prod, which is to move to namespace stage. Nobody has asked for it yet. */
export function transferOf(client: ClusterClient, name: string): Promise<Transfer> {
  const [source, target] = ['prod', 'stage'].map((namespace) => ({ namespace, name }));
  return makeTransfer(client, undefined, { source, target } as Parameters<typeof makeTransfer>[2]);
}

/** Complete for both sides, with the very volume, bound, and with the policy that it had. */
export async function untilMoved(client: ClusterClient, transfer: Transfer): Promise<void> {
  await untilComplete(client, transfer);
  await client.untilGone(transfer.source);
  const target = await client.until<Claim>(transfer.target as Claim, ({ status }) => status?.phase === 'Bound');
  const isAtRest = ({ metadata }: Volume) => !JSON.stringify(metadata.annotations ?? {}).includes('longshore.dev/');
  const volume = await client.until<Volume>(transfer.volume, isAtRest);
  expect([target.spec.volumeName, volume.spec.claimRef?.uid]).toEqual([volume.metadata.name, target.metadata.uid]);
  expect([volume.status?.phase, volume.spec.persistentVolumeReclaimPolicy]).toEqual(['Bound', 'Delete']);
}
