import type { Decision } from '../../lib/reconcile/step.ts';
import { proceed } from '../../lib/transfers/by-annotation/sequence.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';

/** Matches a claim that is offered by its annotation with the claim that accepts it, and keeps the volume safe meanwhile. */
export function decide(world: TransferWorld, now: Date): Decision {
  return proceed(world, now);
}
