import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import type { ClusterClient } from '../local/cluster-client.ts';
import { claim, heldByHand } from '../local/transfer-objects.ts';
import { describeVolume } from './state.ts';
import { className, fileName, type TourObjects } from './tour-objects.ts';

const source = { namespace: 'prod', name: 'archive' };
const target = { namespace: 'stage', name: 'archive' };
const claimStatus = 'pvc.kubernetes.io/transfer-status';
const volumeStatus = 'pv.kubernetes.io/transfer-status';

/**
 * Moves one claim to another namespace with two annotations, and the deletion by its owner. `changed`: whether the cluster
 * changes claims as they are created.
 */
export async function giveClaim(
  client: ClusterClient,
  objects: TourObjects,
  say: (text: string) => void,
  changed: boolean,
): Promise<void> {
  const made = await objects.makeClaim('volume-archive', source);
  const accepting = claim(target, className);
  const claims = [claim(source, className), accepting];
  say('\n2. A claim is handed over with annotations, without custom resources\n');
  await client.annotate(claims[0] as Claim, { transferRequest: 'stage/archive' });
  await client.until<Claim>(claims[0] as Claim, isPending);
  say('prod adds the annotation transferRequest: stage/archive to claim archive. Its volume is secured:\n');
  say(await describeVolume(client, made.volume, claims));
  const written = { ...accepting, metadata: { ...target, annotations: { transferAccept: 'prod/archive' } } };
  await client.create(changed ? written : heldByHand(written));
  if (!changed)
    say('\nNo policy of this cluster holds the claim, so stage writes its dataSourceRef and selector by hand.');
  await client.until<Claim>(accepting, isPending);
  say('\nstage creates a claim with the annotation transferAccept: prod/archive, and prod deletes its own:\n');
  await client.delete(claims[0] as Claim);
  const isComplete = ({ metadata }: Volume) => metadata.annotations?.[volumeStatus] === 'complete';
  await client.until<Volume>(made.volume, isComplete);
  say(await describeVolume(client, made.volume, claims));
  await objects.checkFile(made.file);
  say(`  ${fileName} on the volume is unchanged`);
}

function isPending({ metadata }: Claim): boolean {
  return metadata.annotations?.[claimStatus] === 'pending';
}
