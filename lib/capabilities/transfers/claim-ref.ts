import type { Volume } from '../../kubernetes/objects.ts';
import { type Place, samePlace } from '../../kubernetes/places.ts';
import { displayName } from '../../kubernetes/resources.ts';
import { reject } from '../../reconcile/obstacle.ts';
import type { StagedObstacle } from './reasons.ts';

/** True if a volume belongs, or belonged, to a claim in this place, whichever claim that is. */
export function pointsTo({ spec }: Volume, place: Place): boolean {
  const { namespace = '', name = '' } = spec.claimRef ?? {};
  return samePlace({ namespace, name }, place);
}

/** Someone else has reassigned the volume during a transfer. */
export function taken({ metadata, spec }: Volume): StagedObstacle {
  const { namespace = '', name } = spec.claimRef ?? {};
  const by = name ? `has been bound to ${displayName({ namespace, name })}` : 'has been taken from its claim';
  return reject('VolumeTaken', `volume ${metadata.name} ${by} by someone else: it is left as it is`);
}
