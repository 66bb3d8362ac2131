import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import type { VolumePopulator, VolumeSnapshot, VolumeSnapshotContent } from '../objects.ts';
import { isPopulatedReported, type Populated } from '../populated.ts';

/** The objects that were read to judge a claim's data: only those that its kind of source needs, and that exist. */
export interface Evidence {
  /** The claim's own volume, once it is bound. */
  readonly volume?: Volume | undefined;
  readonly snapshot?: VolumeSnapshot | undefined;
  readonly content?: VolumeSnapshotContent | undefined;
  /** The claim to be cloned, and its volume. */
  readonly sourceClaim?: Claim | undefined;
  readonly sourceVolume?: Volume | undefined;
  /** A volume that a provisioner made for the claim when that had another volume already. */
  readonly unusedVolume?: Volume | undefined;
  /** Empty if there are no registrations, also because the cluster does not know the kind. */
  readonly populators?: readonly VolumePopulator[] | undefined;
}

/**
 * The condition to set on a claim, the Event if someone has to act, and what comes next.
 *
 * done    nothing more can be found out
 * wait    something is still to happen
 * reject  the user has to act, or the claim never has its data
 */
export interface Judgement {
  said: Populated;
  event?: 'Normal' | 'Warning';
  next: 'done' | 'wait' | 'reject';
}

type Words = Pick<Populated, 'reason' | 'message'>;

/** The data is there. Never reported in doubt. */
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

/** The claim is bound, and the content of its volume cannot be seen from outside. */
export function unknown(words: Words): Judgement {
  return { said: { status: 'Unknown', ...words }, next: 'done' };
}

/** Someone has to act. */
export function warning(judgement: Judgement): Judgement {
  return { ...judgement, event: 'Warning' };
}

/**
 * A result from when there was still something to compare with is kept: a claim never gets another volume. Only our own
 * condition counts for that, with the name of the volume.
 */
export function kept(claim: Claim, before: Judgement, otherwise: Judgement): Judgement {
  return isPopulatedReported(claim, before.said) ? before : otherwise;
}
