import { amountOf } from '../../lib/kubernetes/quantity.ts';
import type { ClaimWithCapacity } from '../objects/claims.ts';

/** What the accepting claim must have to be given the volume of another one. */
export interface Fit {
  size?: string | undefined;
  /** Empty for a volume without a class. */
  className?: string | undefined;
  accessModes: readonly string[];
  volumeMode?: string | undefined;
  attributesClass?: string | undefined;
}

const formerClassAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** As far as the claim that has the volume shows it: volumes can be read by administrators alone. */
export function fitOf({ metadata, spec, status }: ClaimWithCapacity): Fit {
  return {
    size: larger(status?.capacity?.storage, spec.resources?.requests?.storage),
    className: metadata.annotations?.[formerClassAnnotation] ?? spec.storageClassName,
    accessModes: spec.accessModes ?? [],
    volumeMode: spec.volumeMode === 'Block' ? 'Block' : undefined,
    attributesClass: status?.currentVolumeAttributesClassName ?? spec.volumeAttributesClassName,
  };
}

/** A driver may be about to expand the volume to what its claim requests. */
function larger(one: string | undefined, other: string | undefined): string | undefined {
  return (amountOf(one) ?? 0) >= (amountOf(other) ?? 0) ? (one ?? other) : other;
}

interface Places {
  from: string;
  claim: string;
  namespace: string;
  toName: string;
}

/** What the other side has to type: with everything that it cannot read. */
export function acceptWords({ from, claim, namespace, toName }: Places, fit: Fit): string[] {
  const optional = (option: string, value: string | undefined) => (value === undefined ? [] : [option, value]);
  return [
    ...['longshore', 'accept', `pvc/${claim}`, '--from', from, '--to-name', toName, '-n', namespace],
    ...optional('--size', fit.size),
    ...optional('--class', fit.className),
    ...fit.accessModes.flatMap((mode) => ['--access-mode', mode]),
    ...optional('--volume-mode', fit.volumeMode),
    ...optional('--attributes-class', fit.attributesClass),
  ];
}
