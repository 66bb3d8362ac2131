import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { amountOf } from '../../../kubernetes/quantity.ts';
import { classOf } from '../../../kubernetes/storage-class.ts';

/** If a claim asks for something that the volume is not, the volume controller never binds the two. */
export function mismatches(target: Claim, volume: Volume, size: string): string[] {
  const { spec } = target;
  const modes = volume.spec.accessModes ?? [];
  const strange = (spec.accessModes ?? []).filter((mode) => !modes.includes(mode));
  const wanted = spec.resources?.requests?.storage;
  const isTooSmall = (amountOf(wanted) ?? 0) > (amountOf(size) ?? 0);
  return [
    differs('storageClassName', classOf(target), classOf(volume)),
    differs('volumeMode', spec.volumeMode ?? 'Filesystem', volume.spec.volumeMode ?? 'Filesystem'),
    differs(
      'volumeAttributesClassName',
      spec.volumeAttributesClassName ?? '',
      volume.spec.volumeAttributesClassName ?? '',
    ),
    strange.length > 0 ? `accessModes has ${strange.join(', ')}, the volume has ${modes.join(', ')}` : undefined,
    isTooSmall ? `it requests ${wanted}, the volume has ${size}` : undefined,
  ].filter((each) => each !== undefined);
}

/** A quota counts a claim's request: one below the volume's present or future size would exceed the quota. */
export function smallerRequest({ spec }: Claim, volume: Volume, size: string): string | undefined {
  const wanted = spec.resources?.requests?.storage;
  if ((amountOf(wanted) ?? 0) >= (amountOf(size) ?? 0)) return undefined;
  const has = size === volume.spec.capacity?.storage ? 'the volume has' : 'the claim that offers the volume requests';
  return `it requests ${wanted ?? 'nothing'}, ${has} ${size}, and the quota of its namespace must count all of it: it must request ${size}`;
}

function differs(field: string, ofClaim: string, ofVolume: string): string | undefined {
  if (ofClaim === ofVolume) return undefined;
  return `${field} is ${JSON.stringify(ofClaim)}, the volume's is ${JSON.stringify(ofVolume)}`;
}
