import type { Claim, ClaimSpec, Volume } from '../cluster/objects.ts';
import { nameOf, type ObjectName, resources } from '../cluster/resources.ts';
import { type Decision, preconditionsOf, type Write } from '../reconcile/step.ts';
import type { Place, TransferIdentity } from './marks.ts';

/** A transfer and the places that it leads from and to. */
export interface Course {
  transfer: TransferIdentity;
  source: Place;
  target: Place;
  /** The name of the approval, which stands in the source's namespace. */
  approval: string;
}

/** What of a volume serves to write a claim for it anew. */
export type VolumeAsClaim = Volume & {
  spec: { accessModes?: string[]; capacity?: Record<string, string>; storageClassName?: string; volumeMode?: string };
};

/** A patch that is refused when the object has changed since it was read. */
export function patch(slot: 'source' | 'target' | 'volume', object: Claim | Volume, body: object): Decision {
  const resource = slot === 'volume' ? resources.volume : resources.claim;
  const name = nameOf(resource, object.metadata.namespace, object.metadata.name);
  const write: Write = { verb: 'patch', slot, object: name, body, preconditions: preconditionsOf(object) };
  return { do: 'write', write };
}

/** A deletion that is refused when the object has changed since it was read. */
export function remove(slot: 'source' | 'target', claim: Claim): Decision {
  const object = claimName({ namespace: claim.metadata.namespace ?? '', name: claim.metadata.name });
  return { do: 'write', write: { verb: 'delete', slot, object, preconditions: preconditionsOf(claim) } };
}

export function claimName(place: Place): ObjectName {
  return nameOf(resources.claim, place.namespace, place.name);
}

/** The part of a claim's spec that another claim for the same volume must share. */
export function portableSpec(source: Claim | undefined, volume: VolumeAsClaim): ClaimSpec {
  if (!source) {
    const { accessModes, capacity, storageClassName = '', volumeMode } = volume.spec;
    return {
      ...(accessModes ? { accessModes } : {}),
      resources: { requests: { storage: capacity?.storage ?? '' } },
      storageClassName,
      ...(volumeMode ? { volumeMode } : {}),
    };
  }
  const { accessModes, resources: amounts, storageClassName, volumeMode, volumeAttributesClassName } = source.spec;
  return {
    ...(accessModes ? { accessModes } : {}),
    ...(amounts ? { resources: amounts } : {}),
    ...(storageClassName === undefined ? {} : { storageClassName }),
    ...(volumeMode ? { volumeMode } : {}),
    ...(volumeAttributesClassName ? { volumeAttributesClassName } : {}),
  };
}
