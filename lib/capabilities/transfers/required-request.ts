import type { Claim, Volume } from '../../kubernetes/objects.ts';
import { amountOf } from '../../kubernetes/quantity.ts';

/**
 * The request that a claim must make so that a quota counts the volume: its capacity, or the larger size that its
 * present claim has requested since, and to which its driver is about to expand it.
 */
export function requiredRequest(volume: Volume, source: Claim | undefined): string {
  const capacity = volume.spec.capacity?.storage ?? '';
  const asked = source?.spec.resources?.requests?.storage ?? '';
  return (amountOf(asked) ?? 0) > (amountOf(capacity) ?? 0) ? asked : capacity;
}
