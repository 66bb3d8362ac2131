import type { Claim } from '../../../../kubernetes/objects.ts';
import { waitFor } from '../../../../reconcile/obstacle.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { note, patch } from '../../../../reconcile/writes.ts';
import { selectedNode } from '../../copies.ts';
import { nodeAnnotation } from '../../names.ts';
import { claimPart, primePart } from './parts.ts';
import { blocked } from './report.ts';
import { hasWaited } from './trouble.ts';
import type { PopulatingWorld } from './world.ts';

/**
 * The provisioner works on the prime claim: its messages, and the node for which it cannot make a volume, are passed on
 * to the user's claim.
 */
export function awaitVolume(world: PopulatingWorld, claim: Claim, prime: Claim, now: Date): Decision<PopulatingWorld> {
  const { trouble } = world;
  const waiting = waitFor('Populating', 'the provisioner restores the snapshot');
  const moved = moveNode(claim, prime);
  if (moved) return moved;
  if (trouble) return blocked(world, claim, waitFor('ProvisioningFailed', trouble), now);
  // A wait of moments is not worth a write.
  return hasWaited(prime, now) ? blocked(world, claim, waiting, now) : waiting;
}

/**
 * A provisioner that cannot make the volume for a node removes the node from the claim that it works on, for the
 * scheduler to choose another one. The scheduler knows only the user's claim, so the node is removed from that one too,
 * and the next choice is passed on to the prime claim.
 */
function moveNode(claim: Claim, prime: Claim): Decision<PopulatingWorld> | undefined {
  const chosen = claim.metadata.annotations?.[selectedNode];
  const asked = prime.metadata.annotations?.[nodeAnnotation];
  if (prime.metadata.annotations?.[selectedNode] || (!chosen && !asked)) return undefined;
  if (chosen && chosen === asked) {
    const message = `the provisioner cannot create the volume for node ${chosen}: the scheduler chooses again`;
    const annotations = { [selectedNode]: null };
    return patch(claimPart, claim, { metadata: { annotations } }, { announce: [note(claim, 'Rescheduling', message)] });
  }
  const annotations = chosen ? { [selectedNode]: chosen, [nodeAnnotation]: chosen } : { [nodeAnnotation]: null };
  return patch(primePart, prime, { metadata: { annotations } });
}
