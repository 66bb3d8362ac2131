import { resources } from '../../kubernetes/resources.ts';
import type { Capability } from '../../reconcile/routing.ts';
import { ClaimIndex } from './claim-index.ts';
import { reads } from './reads.ts';
import { reconsider, routesOf } from './routes.ts';

/**
 * Claims with data sources: maps each change to the claims that it concerns. Writes of our own steps send no message.
 */
export const dataSources: Capability = {
  name: 'data-sources',
  functions: ['populate-claim', 'check-source'],
  resources: [
    resources.volumePopulator,
    resources.storageClass,
    resources.referenceGrant,
    resources.snapshotLink,
    resources.snapshot,
    resources.snapshotContent,
    resources.volume,
    resources.claim,
  ],
  reads,
  createRouter: () => {
    const index = new ClaimIndex();
    return {
      note: (change) => index.note(change),
      routesOf: (change) => routesOf(change, index),
      reconsider: (change) => reconsider(change, index),
    };
  },
};
