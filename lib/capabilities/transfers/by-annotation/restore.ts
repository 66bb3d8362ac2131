import type { Volume } from '../../../kubernetes/objects.ts';
import type { Identity } from '../../../kubernetes/places.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import type { Decision } from '../../../reconcile/step.ts';
import type { Home } from '../kept-volume.ts';
import type { TransferWorld } from '../world.ts';
import { patch, warn } from '../writes.ts';
import { acceptAnnotation } from './claim-marks.ts';
import { offerBack } from './volume-marks.ts';

/**
 * The claim that a volume is kept for is gone: users of its namespace can get the volume with another claim of its
 * name.
 */
export function restoreTo(kept: { owner: Identity; home: Home }, volume: Volume, now: Date): Decision<TransferWorld> {
  const name = displayName(kept.owner);
  const message = `is kept for claim ${name}, which is gone. To get it back, its owner creates a claim of that name with the annotation ${acceptAnnotation}: ${name}`;
  return patch('volume', volume, offerBack(kept, now), { announce: [warn(volume, 'AwaitingAcceptance', message)] });
}
