import { resources } from '../../../../kubernetes/resources.ts';
import type { Step } from '../../../../reconcile/step.ts';
import { failed } from '../../by-annotation/conditions.ts';
import type { TransferWorld } from '../../world.ts';
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
