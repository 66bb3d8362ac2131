import type { Claim, Pod } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { ifAllowed } from './refusals.ts';
import type { Work } from './work.ts';

/** What a claim is like, as far as its owner can see it without reading volumes. */
export interface ClaimWithCapacity extends Claim {
  status?: NonNullable<Claim['status']> & {
    capacity?: Record<string, string>;
    accessModes?: string[];
    currentVolumeAttributesClassName?: string;
  };
}

export function sizeOf({ spec, status }: ClaimWithCapacity): string {
  return status?.capacity?.storage ?? spec.resources?.requests?.storage ?? 'of unknown size';
}

/** The names of the pods that use a claim, also of those that have ended; undefined if the caller may not see pods. */
export async function podsUsing({ api }: Pick<Work, 'api'>, namespace: string, claim: string) {
  const path = `/api/v1/namespaces/${namespace}/${resources.pod.plural}`;
  const pods = await ifAllowed(() => api.list<Pod>(path));
  return pods
    ?.filter(({ spec }) => spec?.volumes?.some(({ persistentVolumeClaim: of }) => of?.claimName === claim))
    .map(({ metadata }) => metadata.name);
}

/** What is to be known before a claim is given away. */
export async function describeClaim(work: Pick<Work, 'api'>, claim: ClaimWithCapacity): Promise<string[]> {
  const { namespace = '', name } = claim.metadata;
  const pods = await podsUsing(work, namespace, name);
  const use =
    pods === undefined ? 'unknown: you may not list pods' : pods.length === 0 ? 'no pod uses it' : pods.join(', ');
  return [
    `  claim:   ${namespace}/${name}, ${claim.status?.phase ?? 'Pending'}`,
    `  size:    ${sizeOf(claim)}`,
    `  volume:  ${claim.spec.volumeName || 'none yet'}`,
    `  used by: ${use}`,
  ];
}

/** Reads a claim that is to be given away. */
export function refuseGoing(claim: Claim): void {
  const { namespace, name, deletionTimestamp } = claim.metadata;
  if (deletionTimestamp)
    throw new Error(`claim ${namespace}/${name} is being deleted: it cannot be given away any more`);
}
