import { resources } from '../../lib/cluster/resources.ts';
import type { Step } from '../../lib/reconcile/step.ts';
import { failed } from '../../lib/transfers/by-annotation/tell.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';
import { decide } from './decide.ts';
import { read } from './read.ts';

export const matchClaim: Step<TransferWorld> = {
  name: 'match-claim',
  resource: resources.claim,
  read,
  decide,
  subjects: ({ source, target }) => [source, target],
  decideFailed: failed,
};
