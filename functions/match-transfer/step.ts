import { resources } from '../../lib/cluster/resources.ts';
import type { Step } from '../../lib/reconcile/step.ts';
import { failed } from '../../lib/transfers/by-request/status.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';
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
