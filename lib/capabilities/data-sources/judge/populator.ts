import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { createAnother } from '../advice.ts';
import { isChosen, isLater, type Origin, populatedFrom, provisionerOf } from '../origin.ts';
import type { Populating } from '../reference.ts';
import { arrived, type Evidence, failed, type Judgement, kept, unknown, waiting, warning } from './judgement.ts';
import { nameOfKind, nameOfSource } from './source-names.ts';

/** Judges a claim without a volume by the registrations: is there a populator for this kind of source? */
export function judgeRegistration(source: Populating, evidence: Evidence): Judgement {
  const kind = nameOfKind(source);
  if (isUnused(evidence)) {
    const message = `no VolumePopulator is registered in the cluster, so it is unknown whether anything fills volumes from ${kind}: ask the cluster's administrator`;
    return { ...unknown({ reason: 'PopulatorsUnknown', message }), next: 'wait' };
  }
  if (isRegistered(source, evidence)) {
    const message = `this claim has no volume yet: the populator of ${kind} is at work, or waits for the source or for the first pod`;
    return waiting({ reason: 'NotBound', message });
  }
  return { ...failed({ reason: 'UnrecognizedDataSourceKind', message: unrecognized(kind) }), next: 'wait' };
}

/**
 * Judges a claim with a volume. A populator has a volume made for a claim of its own, fills it, and hands it over. So a
 * volume that was made for this very claim was not filled by a populator.
 */
export function judgeHandedOver(
  claim: Claim,
  source: Populating,
  volume: Volume,
  origin: Origin,
  evidence: Evidence,
): Judgement {
  if (origin === 'made') return ignored(source, volume);
  const note = populatedFrom(volume);
  const isNoted = note === displayName({ namespace: claim.metadata.namespace ?? '', name: source.name });
  const message = `volume ${volume.metadata.name} was handed over by a populator, with the data of ${nameOfSource(source)}`;
  const here = arrived({ reason: 'Populated', message });
  const isSure = isHandedOver(claim, volume, origin) && (note === undefined || isNoted);
  if (isSure && (isNoted || isRegistered(source, evidence))) return here;
  const otherwise = doubt(source, volume, origin, evidence);
  return isSure ? kept(claim, here, otherwise) : otherwise;
}

/** A provisioner made it while the claim waited: such a volume can only come from a populator. */
function isHandedOver(claim: Claim, volume: Volume, origin: Origin): boolean {
  const isMadeMeanwhile = provisionerOf(volume) !== undefined && !isLater(claim, volume);
  return origin === 'given' && isMadeMeanwhile && !isChosen(volume);
}

/** If there are no registrations at all, a missing one proves nothing. */
function isUnused({ populators = [] }: Evidence): boolean {
  return populators.length === 0;
}

function isRegistered({ group, kind }: Populating, { populators = [] }: Evidence): boolean {
  return populators.some(
    ({ metadata, sourceKind }) => !metadata.deletionTimestamp && sourceKind.group === group && sourceKind.kind === kind,
  );
}

function doubt(source: Populating, volume: Volume, origin: Origin, evidence: Evidence): Judgement {
  const { name } = volume.metadata;
  if (!isUnused(evidence) && !isRegistered(source, evidence)) {
    const message = `${unrecognized(nameOfKind(source))}; volume ${name} was given to the claim anyway: check what is in it before you use it`;
    // A later registration may still decide it.
    return { ...warning(unknown({ reason: 'UnrecognizedDataSourceKind', message })), next: 'wait' };
  }
  const message = `volume ${name} was not created for this claim, and it is unknown whether a populator filled it from ${nameOfSource(source)}: check what is in it before you use it`;
  const judgement = unknown({ reason: 'OriginUnknown', message });
  return origin === 'chosen' ? warning(judgement) : judgement;
}

function ignored(source: Populating, volume: Volume): Judgement {
  const maker = provisionerOf(volume);
  const message = `volume ${volume.metadata.name} was created for this claim by ${maker}, without any populator: unless ${maker} itself fills volumes from ${nameOfKind(source)}, it began empty; do not use it; ${createAnother('with a storage class whose provisioner supports data sources')}`;
  return failed({ reason: 'IgnoredByProvisioner', message });
}

function unrecognized(kind: string): string {
  return `no VolumePopulator is registered for the data source ${kind} of this claim: correct the source, or ask the administrator for its populator`;
}
