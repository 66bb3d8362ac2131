import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { hasArrived } from '../../transfers/by-annotation/claim-marks.ts';
import { createAnew, createAnother } from '../advice.ts';
import { isReserved } from '../given.ts';
import { belongsTo, namesVolume, type Origin, originOf, provisionerOf, transferredFrom } from '../origin.ts';
import { type Provisioned, workOf } from '../reference.ts';
import type { CheckedSource } from './checked.ts';
import { arrived, type Evidence, failed, type Judgement, kept, unknown, waiting } from './judgement.ts';
import { judgeSource } from './not-provisioned.ts';
import { judgeHandedOver, judgeRegistration } from './populator.ts';
import { judgeRestored } from './restored.ts';
import { nameOfSource } from './source-names.ts';

/**
 * Judges a claim's data from the objects alone, without the data. They cannot show if a provisioner has done its work
 * well: only if it was able to, and had no alternative.
 */
export function judge(claim: Claim, source: CheckedSource, evidence: Evidence): Judgement {
  if (claim.status?.phase === 'Lost') return lost(claim);
  if (source.type === 'dropped') return dropped(claim);
  if (claim.status?.phase !== 'Bound') return judgeUnbound(claim, source, evidence);
  const { volume } = evidence;
  return belongsTo(volume, claim) ? judgeBound(claim, source, volume, evidence) : lost(claim);
}

type PresentSource = Exclude<CheckedSource, { type: 'dropped' }>;

function judgeUnbound(claim: Claim, source: PresentSource, evidence: Evidence): Judgement {
  if (source.type === 'transfer') {
    const isReported = claim.status?.conditions?.some(({ type }) => type === 'Transferred') === true;
    const where = isReported ? 'condition Transferred' : 'annotation pvc.kubernetes.io/transfer-status, and its Events';
    const message = `the volume that this claim accepts has not been transferred to it yet: see its ${where}`;
    return waiting({ reason: 'NotBound', message });
  }
  const work = workOf(source);
  return work.by === 'provisioner'
    ? judgeSource(claim, work.source, evidence)
    : judgeRegistration(work.source, evidence);
}

function judgeBound(claim: Claim, source: PresentSource, volume: Volume, evidence: Evidence): Judgement {
  const origin = originOf(claim, volume);
  if (source.type === 'transfer') return judgeTransferred(claim, volume, origin);
  const place = transferredFrom(claim, volume);
  if (origin === 'transferred' && place) {
    const message = `volume ${volume.metadata.name} was transferred from claim ${displayName(place)}: it has the data of that claim, not that of ${nameOfSource(source)}`;
    return failed({ reason: 'BoundToOtherVolume', message });
  }
  const work = workOf(source);
  return work.by === 'provisioner'
    ? judgeProvisioned(claim, work.source, volume, origin, evidence)
    : judgeHandedOver(claim, work.source, volume, origin, evidence);
}

function judgeProvisioned(
  claim: Claim,
  source: Provisioned,
  volume: Volume,
  origin: Origin,
  evidence: Evidence,
): Judgement {
  if (origin === 'made') return judgeRestored(claim, source, volume, evidence);
  if (origin === 'chosen') return strayVolume(volume, nameOfSource(source), evidence.unusedVolume);
  return givenByHand(volume, nameOfSource(source));
}

function judgeTransferred(claim: Claim, volume: Volume, origin: Origin): Judgement {
  const wanted = 'the volume that was to be transferred to it';
  if (origin === 'made') {
    const message = `volume ${volume.metadata.name} was created for this claim by ${provisionerOf(volume)}, before it could get ${wanted}: it began empty; ${createAnother('with a storage class whose provisioner supports data sources')}`;
    return failed({ reason: 'IgnoredByProvisioner', message });
  }
  if (origin === 'chosen') return strayVolume(volume, wanted);
  const message = `volume ${volume.metadata.name} was transferred to this claim`;
  const here = arrived({ reason: 'Transferred', message });
  // An earlier claim of this name may have had it: the marks on both must agree.
  const source = transferredFrom(claim, volume);
  const isSure = source !== undefined && hasArrived(claim, source);
  // A volume that is transferred again has the marks of the next transfer.
  return isSure ? here : kept(claim, here, givenByHand(volume, wanted));
}

function strayVolume({ metadata }: Volume, wanted: string, unusedVolume?: Volume): Judgement {
  const message = `volume ${metadata.name} was free when the cluster bound it to this claim: it has no data of ${wanted}, and may have data of someone else; do not use it; ${createAnother('that no free volume fits, for example with another storage class')}`;
  // With the policy Delete it is deleted; otherwise it waits only for a claim of its name.
  const kept = unusedVolume && isReserved(unusedVolume);
  const also = `; volume ${unusedVolume?.metadata.name} was created for it in the meantime, and is kept for the next claim with its name: ask an administrator for it`;
  return failed({ reason: 'BoundToOtherVolume', message: kept ? `${message}${also}` : message });
}

function givenByHand({ metadata }: Volume, wanted: string): Judgement {
  const message = `volume ${metadata.name} was not created for this claim, but someone gave it to this claim: only they know whether it has data of ${wanted}`;
  return unknown({ reason: 'OriginUnknown', message });
}

function dropped(claim: Claim): Judgement {
  const cause =
    'the API server has dropped its data source: spec.dataSourceRef named a namespace, or spec.dataSource a kind that belongs in spec.dataSourceRef';
  if (namesVolume(claim)) {
    const message = `${cause}; only the person who named volume ${claim.spec.volumeName} in this claim knows what is in it`;
    return unknown({ reason: 'OriginUnknown', message });
  }
  const how =
    'with a VolumeSnapshotLink as its source (longshore explain ReferenceDropped says more), or after manifests/admission has been applied';
  const advice = claim.spec.volumeName ? createAnother(how) : createAnew(how);
  const message = `${cause}: nothing fills the volume of this claim; ${advice}`;
  return failed({ reason: 'ReferenceDropped', message });
}

function lost({ spec }: Claim): Judgement {
  const message = `volume ${spec.volumeName} no longer exists, or belongs to another claim: the data of this claim went with it`;
  return failed({ reason: 'VolumeLost', message });
}
