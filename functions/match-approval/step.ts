import { resources } from '../../lib/cluster/resources.ts';
import type { Step } from '../../lib/reconcile/step.ts';
import { failedApproval } from '../../lib/transfers/by-request/status.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';
import { decide } from './decide.ts';
import { read } from './read.ts';

export const matchApproval: Step<TransferWorld> = {
  name: 'match-approval',
  resource: resources.transferApproval,
  read,
  decide,
  subjects: ({ approval }) => [approval],
  decideFailed: failedApproval,
};
