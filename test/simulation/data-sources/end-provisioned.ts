import type { VolumeSnapshot } from '../../../lib/capabilities/data-sources/objects.ts';
import { populatedConditionOf } from '../../../lib/capabilities/data-sources/populated.ts';
import type { Claim } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { Violation } from '../capability.ts';
import { type Ended, expectSaid } from './ended.ts';
import { pathOf, place } from './objects.ts';

/** What a provisioner does by itself, for a claim whose source is in its own namespace, is told as it is. */
export function checkProvisioned(ended: Ended, claim: Claim): void {
  if (claim.status?.phase === 'Bound') checkBound(ended, claim);
  else checkWaiting(ended, claim);
}

function checkBound({ holdings, scenario }: Ended, claim: Claim): void {
  if (scenario.users.freeVolumes.has(claim.spec.volumeName ?? '')) {
    expectSaid(claim, 'False', ['BoundToOtherVolume'], 'it has a volume that lay about');
    return;
  }
  if (!holdings.textOf(claim)) throw new Violation(`${pathOf(claim)} has an empty volume`);
  const isGone = populatedConditionOf(claim)?.reason === 'SourceGone';
  if (isGone) expectSaid(claim, 'Unknown', ['SourceGone'], 'it has its data');
  else expectSaid(claim, 'True', [isOfSnapshot(claim) ? 'Restored' : 'Cloned'], 'it has its data');
}

function checkWaiting({ cluster }: Ended, claim: Claim): void {
  const resource: Resource = isOfSnapshot(claim) ? resources.snapshot : resources.claim;
  const source = cluster.read(nameOf(resource, place.source, claim.spec.dataSourceRef?.name ?? ''));
  if (!source) {
    expectSaid(claim, 'False', ['SourceMissing'], 'its source is not there');
    return;
  }
  const isUsable = !isOfSnapshot(claim) || (source as VolumeSnapshot).status?.readyToUse === true;
  const reasons = source.metadata.deletionTimestamp || !isUsable ? ['SourceNotReady'] : [];
  expectSaid(claim, 'False', reasons, `its source is ${reasons.length > 0 ? 'not ' : ''}ready`);
}

function isOfSnapshot({ spec }: Claim): boolean {
  return spec.dataSourceRef?.kind === resources.snapshot.kind;
}
