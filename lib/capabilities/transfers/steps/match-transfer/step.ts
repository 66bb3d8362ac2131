import { resources } from '../../../../kubernetes/resources.ts';
import type { Step } from '../../../../reconcile/step.ts';
import { failed } from '../../by-request/status.ts';
import type { TransferWorld } from '../../world.ts';
import { decide } from './decide.ts';
import { read } from './read.ts';

export const matchTransfer: Step<TransferWorld> = {
  name: 'match-transfer',
  resource: resources.transferRequest,
  read,
  decide,
  subjects: ({ request }) => [request],
  decideFailed: failed,
};
