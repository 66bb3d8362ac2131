import { describe } from '@jest/globals';
import { testTable } from './check-table.ts';
import * as stage from './stages.ts';

const { annotations, late, sourceClaim, sourceVolume, sources, volume, withoutDriver } = stage;
const waiting = { next: 'wait' } as const;
const known = { next: 'done', isAtRest: true } as const;
const useless = { next: 'reject', event: 'Warning', isAtRest: true } as const;
const nfs = withoutDriver(volume({ annotations: annotations.madeBy('nfs.example.com') }));

describe('a clone', () => {
  const asked = stage.claim(sources.claim, 'Pending');
  const cloned = {
    claim: stage.claim(sources.claim, 'Bound'),
    volume: volume(),
    sourceClaim: sourceClaim(),
    sourceVolume: sourceVolume(),
  };
  const deletionTimestamp = late;
  testTable([
    {
      situation: 'waits for its provisioner',
      world: { claim: asked, sourceClaim: sourceClaim() },
      says: 'False NotBound',
      ...waiting,
    },
    { situation: 'has no source', world: { claim: asked }, says: 'False SourceMissing', event: 'Warning', ...waiting },
    {
      situation: 'has a source without a volume',
      world: { claim: asked, sourceClaim: sourceClaim({}, 'Pending') },
      says: 'False SourceNotReady',
      saying: 'no volume yet',
      ...waiting,
    },
    {
      situation: 'has a source that has lost its volume',
      world: { claim: asked, sourceClaim: sourceClaim({}, 'Lost') },
      says: 'False SourceNotReady',
      event: 'Warning',
      ...waiting,
    },
    {
      situation: 'has a source that goes',
      world: { claim: asked, sourceClaim: sourceClaim({ deletionTimestamp }) },
      says: 'False SourceNotReady',
      event: 'Warning',
      ...waiting,
    },
    {
      situation: 'was made by the driver of its source',
      world: cloned,
      says: 'True Cloned',
      saying: 'from claim old',
      event: 'Normal',
      ...known,
    },
    {
      situation: 'was made by another driver',
      world: { ...cloned, sourceVolume: sourceVolume({ csi: { driver: 'file.example.com' } }) },
      says: 'False IgnoredByProvisioner',
      saying: 'provisioner is file.example.com',
      ...useless,
    },
    {
      situation: 'has a source that nothing can clone',
      world: { ...cloned, sourceVolume: withoutDriver(sourceVolume()) },
      says: 'False IgnoredByProvisioner',
      saying: 'cannot be cloned',
      ...useless,
    },
    {
      situation: 'was made by no CSI driver',
      world: { ...cloned, volume: nfs },
      says: 'False IgnoredByProvisioner',
      ...useless,
    },
    {
      situation: 'outlives its source',
      world: { ...cloned, sourceClaim: undefined },
      says: 'Unknown SourceGone',
      ...known,
    },
    {
      situation: 'is older than what has the name of its source now',
      world: { ...cloned, sourceClaim: sourceClaim({ creationTimestamp: deletionTimestamp }) },
      says: 'Unknown SourceGone',
      ...known,
    },
    {
      situation: 'has a source whose volume has gone on',
      world: { ...cloned, sourceVolume: sourceVolume({ claimRef: { uid: 'uid-of-another' } }) },
      says: 'Unknown SourceGone',
      ...known,
    },
  ]);
});
