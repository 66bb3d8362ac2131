import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import type { VolumePopulator, VolumeSnapshot, VolumeSnapshotContent } from '../objects.ts';
import { isPopulatedReported, type Populated } from '../populated.ts';

/** What was read about a claim's data: only what its kind of source needs, and what there is of it. */
export interface Evidence {
  /** The claim's own volume, once it is bound. */
  readonly volume?: Volume | undefined;
  readonly snapshot?: VolumeSnapshot | undefined;
  readonly content?: VolumeSnapshotContent | undefined;
  /** The claim that is to be cloned, and its volume. */
  readonly sourceClaim?: Claim | undefined;
  readonly sourceVolume?: Volume | undefined;
  /** What a provisioner has made for the claim when that had another volume already. */
  readonly unusedVolume?: Volume | undefined;
  /** None at all where nobody registers, be it because the cluster does not know the kind. */
  readonly populators?: readonly VolumePopulator[] | undefined;
}

/**
 * What a claim is to say of its data, whether anybody has to look at it, and what comes next.
 *
 * done    no more can be found out
 * wait    something is still to happen
 * reject  the user has to do something, or the claim never has its data
 */
export interface Judgement {
  said: Populated;
  event?: 'Normal' | 'Warning';
  next: 'done' | 'wait' | 'reject';
}

type Words = Pick<Populated, 'reason' | 'message'>;

/** The data is there. In doubt this is never said. */
export function arrived(words: Words): Judgement {
  return { said: { status: 'True', ...words }, event: 'Normal', next: 'done' };
}

/** The data is not there, and will not come. */
export function failed(words: Words): Judgement {
  return { said: { status: 'False', ...words }, event: 'Warning', next: 'reject' };
}

/** The data is not there yet. */
export function waiting(words: Words): Judgement {
  return { said: { status: 'False', ...words }, next: 'wait' };
}

/** It is bound, and what is in its volume cannot be seen from outside. */
export function unknown(words: Words): Judgement {
  return { said: { status: 'Unknown', ...words }, next: 'done' };
}

/** Somebody has to look at it. */
export function warning(judgement: Judgement): Judgement {
  return { ...judgement, event: 'Warning' };
}

/**
 * What was found out when there was still something to compare with is not forgotten: a claim never gets another volume.
 * Only our own words count for that, the name of the volume among them.
 */
export function kept(claim: Claim, before: Judgement, otherwise: Judgement): Judgement {
  return isPopulatedReported(claim, before.said) ? before : otherwise;
}
