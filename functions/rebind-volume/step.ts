import { resources } from '../../lib/cluster/resources.ts';
import type { Step } from '../../lib/reconcile/step.ts';
import { failed } from '../../lib/transfers/status.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';
import { decide } from './decide.ts';
import { read } from './read.ts';

export const rebindVolume: Step<TransferWorld> = {
  name: 'rebind-volume',
  resource: resources.volume,
  read,
  decide,
  decideFailed: failed,
};
