import { describe } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/decide.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import type { Claim, Condition } from '../../../../../../lib/kubernetes/objects.ts';
import { claim, volume } from '../../../../../support/builders.ts';
import { testTable } from '../../../table.ts';
import * as offer from '../../offer-stages.ts';
import * as stage from '../../stages.ts';

const { asked } = stage;
const withStatus = (status: Claim['status']): TransferWorld => ({
  ...asked,
  source: claim({ status: { phase: 'Bound', ...status } }),
});
/** A volume that was made by hand may be smaller than its claim asks for, and nothing is changed about that. */
const smaller: TransferWorld = {
  ...asked,
  source: claim({ spec: { resources: { requests: { storage: '2Gi' } }, volumeAttributesClassName: 'gold' } }),
  volume: volume({ spec: { capacity: { storage: '1Gi' } } }),
};
const begins = { write: 'patch source', next: 'create target' };

describe('a source that is offered by its annotation', () => {
  testTable(decide, [
    {
      situation: 'is busy once it is fenced for that',
      world: { ...asked, source: offer.fenced() },
      tells: 'wait SourceBusy',
      saying: 'annotation transferRequest: its owner must remove the annotation first',
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
  const resizing: Condition = { type: 'Resizing', status: 'True', reason: '', message: '', lastTransitionTime: '' };
  const over: Condition = { ...resizing, status: 'False' };
  testTable(decide, [
    {
      situation: 'is waited for while it is resized',
      world: withStatus({ conditions: [resizing] }),
      tells: 'wait VolumeResizing',
      saying: 'to 1Gi',
    },
    {
      situation: 'is waited for while its file system is to be resized',
      world: withStatus({ allocatedResourceStatuses: { storage: 'NodeResizePending' } }),
      tells: 'wait VolumeResizing',
    },
    {
      situation: 'is waited for while its attributes are changed',
      world: withStatus({ modifyVolumeStatus: { status: 'InProgress' } }),
      tells: 'wait VolumeModifying',
      saying: 'to attributes class none',
    },
    { situation: 'is not waited for when that is over', world: withStatus({ conditions: [over] }), ...begins },
    { situation: 'is not waited for when it was smaller from the beginning', world: smaller, ...begins },
  ]);
});
