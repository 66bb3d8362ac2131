import { resources } from '../../lib/cluster/resources.ts';
import type { Step } from '../../lib/reconcile/step.ts';
import { decide, decideFailed } from './decide.ts';
import { type PopulatingWorld, read } from './read.ts';

/** A claim whose data is in a snapshot that its own provisioner would not look at: in another namespace, or behind a link. */
export const populateClaim: Step<PopulatingWorld> = {
  name: 'populate-claim',
  resource: resources.claim,
  read,
  decide,
  subjects: ({ claim }) => [claim],
  decideFailed,
};
