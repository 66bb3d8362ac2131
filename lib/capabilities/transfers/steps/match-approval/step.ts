import { resources } from '../../../../kubernetes/resources.ts';
import type { Step } from '../../../../reconcile/step.ts';
import { failedApproval } from '../../by-request/status.ts';
import type { TransferWorld } from '../../world.ts';
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
