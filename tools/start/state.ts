import type { Claim, Condition, Volume } from '../../lib/kubernetes/objects.ts';
import { displayName } from '../../lib/kubernetes/resources.ts';
import type { ClusterClient } from '../local/cluster-client.ts';
import { table } from './table.ts';

/** A volume and its claims, as in the output of `kubectl get pv,pvc`. */
export async function describeVolume(client: ClusterClient, volume: Volume, claims: readonly Claim[]): Promise<string> {
  const found = await client.get(volume);
  const { claimRef, persistentVolumeReclaimPolicy = '' } = found?.spec ?? {};
  const claimName = claimRef?.name ? displayName({ namespace: claimRef.namespace ?? '', name: claimRef.name }) : '';
  const volumes = table(
    ['PERSISTENTVOLUME', 'RECLAIM POLICY', 'STATUS', 'CLAIM'],
    [[volume.metadata.name, persistentVolumeReclaimPolicy, found?.status?.phase ?? '', claimName]],
  );
  const rows = await Promise.all(claims.map((claim) => claimRow(client, claim)));
  return `${volumes}\n${table(['PERSISTENTVOLUMECLAIM', 'STATUS', 'VOLUME'], rows)}`;
}

async function claimRow(client: ClusterClient, claim: Claim): Promise<string[]> {
  const found = await client.get(claim);
  const name = displayName(claim.metadata);
  return found ? [name, found.status?.phase ?? '', found.spec.volumeName ?? ''] : [name, '(not there)', ''];
}

/** The conditions of an object. */
export function describeConditions(status: { conditions?: Condition[] } | undefined): string {
  const row = ({ type, status: value, reason, message }: Condition) => [type, value, reason, message];
  return table(['CONDITION', 'STATUS', 'REASON', 'MESSAGE'], (status?.conditions ?? []).map(row));
}
