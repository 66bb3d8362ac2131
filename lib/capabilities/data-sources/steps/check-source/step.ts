import { resources } from '../../../../kubernetes/resources.ts';
import type { Step } from '../../../../reconcile/step.ts';
import { decide, decideFailed } from './decide.ts';
import { type CheckingWorld, read } from './read.ts';

/** For each claim that asks for data, until it reports if the data is in its volume. */
export const checkSource: Step<CheckingWorld> = {
  name: 'check-source',
  resource: resources.claim,
  read,
  decide,
  subjects: ({ claim }) => [claim],
  decideFailed,
};
