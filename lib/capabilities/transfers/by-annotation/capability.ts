import type { Selection } from '../../../json/selection.ts';
import type { Resource } from '../../../kubernetes/resource.ts';
import { resources } from '../../../kubernetes/resources.ts';
import type { Capability, Change } from '../../../reconcile/routing.ts';
import { KeptCount } from '../kept-count.ts';
import { keptLabel } from '../kept-label.ts';
import { annotationsToRoute } from './claim-marks.ts';
import { OfferIndex } from './offer-index.ts';
import { routesOf } from './routes.ts';

/**
 * Transfers by annotation: maps each change to the claims and volumes that it concerns. Writes of our own steps send no
 * message, and a change of anything that a volume's offer names leads to the volume, whose key handles both sides.
 */
export const transfersByAnnotation: Capability = {
  name: 'transfers by annotation',
  functions: ['match-claim', 'rebind-volume'],
  resources: [resources.volume, resources.claim],
  reads: new Map<Resource, Selection>([
    [
      resources.volume,
      { metadata: { labels: { [keptLabel]: true } }, spec: { claimRef: { namespace: true, name: true } } },
    ],
    [
      resources.claim,
      {
        metadata: { annotations: annotationsToRoute },
        spec: { resources: { requests: { storage: true } } },
        status: { phase: true },
      },
    ],
  ]),
  createRouter: () => {
    const [index, counts] = [new OfferIndex(), new KeptCount()];
    const note = (change: Change) => {
      index.note(change);
      counts.note(change);
    };
    return { note, routesOf: (change) => routesOf(change, index), counts };
  },
};
