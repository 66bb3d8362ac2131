import type { Claim, Volume } from '../../kubernetes/objects.ts';
import { amountOf } from '../../kubernetes/quantity.ts';

/**
 * What a claim must ask for so that a quota counts the volume: its capacity, or what its present claim has asked for since,
 * which its driver is about to make of it.
 */
export function sizeOf(volume: Volume, source: Claim | undefined): string {
  const capacity = volume.spec.capacity?.storage ?? '';
  const asked = source?.spec.resources?.requests?.storage ?? '';
  return (amountOf(asked) ?? 0) > (amountOf(capacity) ?? 0) ? asked : capacity;
}
