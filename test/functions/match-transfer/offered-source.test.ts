import { describe } from '@jest/globals';
import { decide } from '../../../functions/match-transfer/decide.ts';
import type { TransferWorld } from '../../../lib/transfers/world.ts';
import { claim, volume } from '../../support/builders.ts';
import * as offer from '../offer-stages.ts';
import * as stage from '../stages.ts';
import { testTable } from '../table.ts';

const { asked } = stage;
const sized = (wanted: string, present: string): TransferWorld => ({
  ...asked,
  source: claim({ spec: { resources: { requests: { storage: wanted } } } }),
  volume: volume({ spec: { capacity: { storage: present } } }),
});
const classed = (ofClaim: string, ofVolume: string): TransferWorld => ({
  ...asked,
  source: claim({ spec: { volumeAttributesClassName: ofClaim } }),
  volume: volume({ spec: { volumeAttributesClassName: ofVolume } }),
});
const begins = { write: 'patch source', next: 'create target' };

describe('a source that is offered by its annotation', () => {
  testTable(decide, [
    {
      situation: 'is busy once it is fenced for that',
      world: { ...asked, source: offer.fenced() },
      tells: 'wait SourceBusy',
      saying: 'annotation transferRequest: its owner must take that off first',
    },
    {
      situation: 'is busy while nothing but the finalizer is left of it',
      world: { ...asked, source: offer.fenced({ annotations: {} }) },
      tells: 'wait SourceBusy',
    },
    {
      situation: 'is busy while its volume is recorded for that, even if the fence is gone',
      world: { ...asked, volume: offer.recorded() },
      tells: 'wait VolumeBusy',
      saying: 'offered to claim stage/copy',
    },
    {
      situation: 'is not busy as long as nothing has been done about it: who fences it first has it',
      world: { ...asked, source: offer.offered() },
      ...begins,
    },
    {
      situation: 'is not busy when the offer of its volume is over',
      world: {
        ...asked,
        volume: volume({ metadata: { annotations: { 'pv.kubernetes.io/transfer-status': 'complete' } } }),
      },
      ...begins,
    },
  ]);
});

describe('a volume that is being changed', () => {
  testTable(decide, [
    {
      situation: 'is waited for while it is resized',
      world: sized('2Gi', '1Gi'),
      tells: 'wait VolumeResizing',
      saying: 'from 1Gi to 2Gi',
    },
    { situation: 'is not waited for when it is as large in other words', world: sized('1Gi', '1024Mi'), ...begins },
    { situation: 'is not waited for when it is larger than was asked for', world: sized('1Gi', '10Gi'), ...begins },
    { situation: 'is not waited for when its size is not known', world: asked, ...begins },
    {
      situation: 'is waited for while its attributes are changed',
      world: classed('gold', 'silver'),
      tells: 'wait VolumeModifying',
      saying: 'from attributes class silver to gold',
    },
    {
      situation: 'is waited for while its attributes are changed to none',
      world: classed('', 'silver'),
      tells: 'wait VolumeModifying',
      saying: 'to none',
    },
    {
      situation: 'is not waited for when its attributes are those of the claim',
      world: classed('gold', 'gold'),
      ...begins,
    },
  ]);
});
