import { resources } from '../../../../kubernetes/resources.ts';
import type { Step } from '../../../../reconcile/step.ts';
import { decide, decideFailed } from './decide.ts';
import { read } from './read.ts';
import type { PopulatingWorld } from './world.ts';

/**
 * For each claim whose data is in a snapshot that its own provisioner would not use: in another namespace, or behind a
 * link.
 */
export const populateClaim: Step<PopulatingWorld> = {
  name: 'populate-claim',
  resource: resources.claim,
  read,
  decide,
  subjects: ({ claim }) => [claim],
  decideFailed,
};
