import type { Claim, Volume } from '../cluster/objects.ts';
import { displayName, resources } from '../cluster/resources.ts';
import { type Place, placeOf, samePlace } from './places.ts';
import { type Problem, reject } from './source-checks.ts';

/** Gives a volume to a claim, and to no other that has its name later. */
export function pointTo(claim: Claim): { metadata: { annotations: Record<string, string | null> }; spec: object } {
  return {
    // The volume controller takes back what it has bound by itself.
    metadata: { annotations: { 'pv.kubernetes.io/bound-by-controller': null } },
    spec: {
      claimRef: {
        apiVersion: resources.claim.apiVersion,
        kind: resources.claim.kind,
        ...placeOf(claim),
        uid: claim.metadata.uid,
        resourceVersion: null,
      },
    },
  };
}

/** Whether a volume is, or was, that of a claim in this place, whichever claim that is. */
export function pointsTo({ spec }: Volume, place: Place): boolean {
  const { namespace = '', name = '' } = spec.claimRef ?? {};
  return samePlace({ namespace, name }, place);
}

/** Somebody else has given the volume away in the middle of a transfer. */
export function taken({ metadata, spec }: Volume): Problem {
  const { namespace = '', name } = spec.claimRef ?? {};
  const by = name ? `has been bound to ${displayName({ namespace, name })}` : 'has been taken from its claim';
  return reject('VolumeTaken', `volume ${metadata.name} ${by} by someone else: it is left as it is`);
}
