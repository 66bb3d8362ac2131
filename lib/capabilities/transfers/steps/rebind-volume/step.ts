import { resources } from '../../../../kubernetes/resources.ts';
import type { Step } from '../../../../reconcile/step.ts';
import * as byAnnotation from '../../by-annotation/conditions.ts';
import { isByAnnotation } from '../../by-annotation/sequence.ts';
import * as byRequest from '../../by-request/status.ts';
import type { TransferWorld } from '../../world.ts';
import { decide } from './decide.ts';
import { read } from './read.ts';

export const rebindVolume: Step<TransferWorld> = {
  name: 'rebind-volume',
  resource: resources.volume,
  read,
  decide,
  decideFailed: (world, error, now) => (isByAnnotation(world) ? byAnnotation : byRequest).failed(world, error, now),
};
