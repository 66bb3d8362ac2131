import type { Cluster } from '../../../../kubernetes/cluster.ts';
import type { Claim, Volume } from '../../../../kubernetes/objects.ts';
import { type Key, nameOf, resources } from '../../../../kubernetes/resources.ts';
import type { World } from '../../../../reconcile/step.ts';
import { readSettings, type Settings } from '../../../settings.ts';
import { checkedSourceOf } from '../../judge/checked.ts';
import type { Evidence } from '../../judge/judgement.ts';
import type { DataReason } from '../../reasons.ts';
import { find, readEvidence } from './read-evidence.ts';

export interface CheckingWorld extends World<'claim', DataReason>, Evidence {
  readonly claim?: Claim | undefined;
  readonly settings?: Settings | undefined;
}

export async function read(cluster: Cluster, key: Key): Promise<CheckingWorld> {
  const claim = await cluster.get(nameOf(resources.claim, key.namespace, key.name));
  const source = claim && checkedSourceOf(claim);
  if (!claim || !source) return { claim };
  const settings = await readSettings(cluster);
  if (!settings.dataPopulated.isOn || source.type === 'dropped') return { claim, settings };
  const isBound = claim.status?.phase === 'Bound';
  const volume = isBound ? await find<Volume>(cluster, resources.volume, undefined, claim.spec.volumeName) : undefined;
  return { claim, settings, volume, ...(await readEvidence(cluster, claim, source, volume)) };
}
