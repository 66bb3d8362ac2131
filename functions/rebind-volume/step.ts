import { resources } from '../../lib/cluster/resources.ts';
import type { Step } from '../../lib/reconcile/step.ts';
import { isByAnnotation } from '../../lib/transfers/by-annotation/sequence.ts';
import * as byAnnotation from '../../lib/transfers/by-annotation/tell.ts';
import * as byRequest from '../../lib/transfers/by-request/status.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';
import { decide } from './decide.ts';
import { read } from './read.ts';

export const rebindVolume: Step<TransferWorld> = {
  name: 'rebind-volume',
  resource: resources.volume,
  read,
  decide,
  decideFailed: (world, error, now) => (isByAnnotation(world) ? byAnnotation : byRequest).failed(world, error, now),
};
