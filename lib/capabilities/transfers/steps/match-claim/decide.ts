import type { Decision } from '../../../../reconcile/step.ts';
import { proceed } from '../../by-annotation/sequence.ts';
import type { TransferWorld } from '../../world.ts';

/** Matches a claim that is offered by its annotation with the claim that accepts it, and keeps the volume safe meanwhile. */
export function decide(world: TransferWorld, now: Date): Decision<TransferWorld> {
  return proceed(world, now);
}
