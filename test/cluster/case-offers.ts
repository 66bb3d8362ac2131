import { expect } from '@jest/globals';
import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { displayName } from '../../lib/kubernetes/resources.ts';
import { heldByHand } from '../../tools/local/transfer-objects.ts';
import type { ClusterClient, Transfer } from '../support/cluster-client.ts';
import { areChanged } from './case-needs.ts';
import { untilBound } from './case-waits.ts';

/** What the specification has users see. */
export const claimStatus = 'pvc.kubernetes.io/transfer-status';
const volumeStatus = 'pv.kubernetes.io/transfer-status';

type Sides = Pick<Transfer, 'source' | 'target' | 'volume'>;

/** The owner of the source says who is to have its volume. */
export function offer(client: ClusterClient, { source, target }: Pick<Sides, 'source' | 'target'>): Promise<void> {
  return client.annotate(source, { transferRequest: displayName(target.metadata) });
}

export function takeBack(client: ClusterClient, { source }: Pick<Sides, 'source'>): Promise<void> {
  return client.annotate(source, { transferRequest: null });
}

/** A claim that accepts a transfer, as its owner makes it: where nothing holds it, held by hand. */
export function held(plain: Claim): Claim {
  return areChanged ? plain : heldByHand(plain);
}

/** The target as its owner makes it to accept the source's volume. */
export function accepting({ source, target }: Pick<Sides, 'source' | 'target'>): Claim {
  const annotations = { transferAccept: displayName(source.metadata) };
  return held({ ...target, metadata: { ...target.metadata, annotations } });
}

/** Waits until a claim says that its part of the transfer is pending: on the source, that it may be deleted. */
export function untilPending(client: ClusterClient, { apiVersion, kind, metadata, spec }: Claim): Promise<Claim> {
  const { namespace = '', name } = metadata;
  const claim: Claim = { apiVersion, kind, metadata: { namespace, name }, spec };
  return client.until<Claim>(claim, ({ metadata: found }) => found.annotations?.[claimStatus] === 'pending');
}

/** Deletes the source when it may be deleted. It goes when somebody has its volume. */
export async function giveAway(client: ClusterClient, { source }: Pick<Sides, 'source'>): Promise<void> {
  await untilPending(client, source);
  await client.delete(source);
  await client.untilGoneOr<Claim>(source, ({ metadata }) => metadata.deletionTimestamp !== undefined);
}

/** The volume's part of the transfer is as the specification has it. */
export async function untilVolume(
  client: ClusterClient,
  { source, target, volume }: Sides,
  status: 'pending' | 'complete',
): Promise<Volume> {
  const found = await client.until<Volume>(volume, ({ metadata }) => metadata.annotations?.[volumeStatus] === status);
  expect(found.metadata.annotations).toMatchObject({
    'pv.kubernetes.io/transfer-source': displayName(source.metadata),
    'pv.kubernetes.io/transfer-destination': displayName(target.metadata),
  });
  return found;
}

/** The target has the volume with its own policy, and nothing is left but the note of where it came from. */
export async function expectTransferred(client: ClusterClient, transfer: Sides): Promise<Claim> {
  const volume = await untilVolume(client, transfer, 'complete');
  const target = await untilBound(client, transfer.target);
  expect(target.spec.volumeName).toBe(volume.metadata.name);
  expect(target.metadata.annotations?.[claimStatus]).toBe('complete');
  expect(volume.spec.claimRef?.uid).toBe(target.metadata.uid);
  expect(volume.spec.persistentVolumeReclaimPolicy).toBe(transfer.volume.spec.persistentVolumeReclaimPolicy);
  expect(Object.keys(volume.metadata.annotations ?? {}).filter((name) => name.startsWith('longshore.dev/'))).toEqual(
    [],
  );
  return target;
}
