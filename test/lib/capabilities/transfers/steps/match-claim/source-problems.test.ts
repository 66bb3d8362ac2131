import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-claim/decide.ts';
import { matchClaim } from '../../../../../../lib/capabilities/transfers/steps/match-claim/step.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import type { Claim, Condition, Volume } from '../../../../../../lib/kubernetes/objects.ts';
import { protection, referenceTo, settings } from '../../../../../support/builders.ts';
import { clusterOf } from '../../../cluster-of.ts';
import { settle, summaryOf, testTable } from '../../../table.ts';
import * as offer from '../../offer-stages.ts';
import * as request from '../../stages.ts';

const withSource = (source: Claim): TransferWorld => ({ ...offer.asked, source });
const withVolume = (volume: Volume | undefined): TransferWorld => ({ ...offer.asked, volume });
const onSource = { on: ['source' as const] };
const inPhase = (phase: 'Pending' | 'Lost') => withSource({ ...offer.offered(), status: { phase } });
const withSecret = (namespace: string) => offer.plain({ csi: { nodeStageSecretRef: { name: 'key', namespace } } });

const resizing: Condition = { type: 'Resizing', status: 'True', reason: '', message: '', lastTransitionTime: '' };

describe('what is wrong with the offer itself is said on the claim, and nothing is touched', () => {
  const saying = (transferRequest: string) => withSource(offer.offered({ annotations: { transferRequest } }));
  testTable(decide, [
    {
      situation: 'it names no claim',
      world: saying('copy'),
      says: 'reject Invalid',
      saying: 'annotation transferRequest is "copy": it must name a claim as <namespace>/<name>',
      ...onSource,
    },
    { situation: 'it names too much', world: saying('stage/copy/uid'), says: 'reject Invalid', ...onSource },
    { situation: 'it lacks the name', world: saying('stage/'), says: 'reject Invalid', ...onSource },
    { situation: 'it lacks the namespace', world: saying('/copy'), says: 'reject Invalid', ...onSource },
    { situation: 'it names the claim itself', world: saying('prod/data'), says: 'reject Invalid', ...onSource },
    {
      situation: 'an administrator has switched transfers by annotation off',
      world: { ...offer.asked, settings: settings('transfersByAnnotation') },
      says: 'wait TransfersOff',
      ...onSource,
    },
    {
      situation: 'transfers by request being off is no reason',
      world: { ...offer.asked, settings: settings('transfersByRequest') },
      write: 'patch source',
      next: 'patch volume',
    },
  ]);
});

const waiting: Claim = {
  ...offer.offered({ annotations: { ...offer.wish, transferAccept: 'test/other' } }),
  status: { phase: 'Pending' },
};

describe('what is wrong with the claim is said, and nothing is touched', () => {
  const holding = (finalizer: string) => withSource(offer.offered({ finalizers: [protection, finalizer] }));
  const { fence, ours } = request;
  testTable(decide, [
    {
      situation: 'a request has fenced it',
      world: withSource(offer.offered({ annotations: { ...offer.wish, ...fence }, finalizers: [protection, ours] })),
      says: 'wait SourceBusy',
      saying: 'request stage/move',
      ...onSource,
    },
    {
      situation: 'the fence of a request is on it that no longer says whose it is',
      world: holding(ours),
      says: 'wait SourceBusy',
      saying: 'by a request',
      ...onSource,
    },
    {
      situation: 'a clone of it is being made',
      world: holding('provisioner.storage.kubernetes.io/cloning-protection'),
      says: 'wait SourceBusy',
      saying: 'a clone',
      ...onSource,
    },
    {
      situation: 'a snapshot of it is being taken',
      world: holding('snapshot.storage.kubernetes.io/pvc-as-source-protection'),
      says: 'wait SourceBusy',
      saying: 'a snapshot',
      ...onSource,
    },
    {
      situation: 'it was deleted before it was fenced',
      world: withSource(offer.offered({ deletionTimestamp: offer.longAgo })),
      says: 'wait SourceDeleting',
      saying: 'was deleted before its volume was safe',
      ...onSource,
    },
    {
      situation: 'what waits for a volume itself is told of that by its own key, and by no other',
      world: { ...inPhase('Pending'), source: waiting, target: offer.accepting() },
      says: 'wait SourceNotBound',
      on: ['target'],
    },
    { situation: 'it is not bound', world: inPhase('Pending'), says: 'wait SourceNotBound', ...onSource },
    {
      situation: 'it names no volume',
      world: { ...withSource(offer.offered({}, { volumeName: '' })), volume: undefined },
      says: 'wait SourceNotBound',
      ...onSource,
    },
    { situation: 'it has lost its volume', world: inPhase('Lost'), says: 'reject SourceLost', ...onSource },
    {
      situation: 'the claim that accepts it is told as well',
      world: { ...inPhase('Pending'), target: offer.accepting() },
      says: 'wait SourceNotBound',
      on: ['source', 'target'],
    },
  ]);
});

test('a claim that has lost its volume, and accepts another one, is told that it has none to give', async () => {
  const annotations = { ...offer.offered().metadata.annotations, transferAccept: 'test/other' };
  const lost = { ...offer.offered({ annotations }), status: { phase: 'Lost' as const } };
  const world = await matchClaim.read(clusterOf(lost), { namespace: 'prod', name: 'data' }, offer.now);
  const { decision, world: after } = settle(matchClaim.decide, world);
  expect(summaryOf(decision)).toBe('reject SourceLost');
  expect(after.source?.status?.conditions).toMatchObject([{ reason: 'SourceLost' }]);
});

describe('what is wrong with the volume is said, and nothing is touched', () => {
  const larger = offer.offered({}, { resources: { requests: { storage: '2Gi' } } });
  const changed = offer.offered({}, { volumeAttributesClassName: 'gold' });
  const growing = withSource({ ...larger, status: { phase: 'Bound', conditions: [resizing] } });
  const changing = withSource({ ...changed, status: { phase: 'Bound', modifyVolumeStatus: {} } });
  const another = referenceTo(offer.offered({ uid: 'uid-other' }));
  const deletionTimestamp = offer.longAgo;
  testTable(decide, [
    { situation: 'it is missing', world: withVolume(undefined), says: 'wait VolumeMissing', ...onSource },
    {
      situation: 'it belongs to an earlier claim of the name',
      world: withVolume(offer.plain({ claimRef: another })),
      says: 'wait VolumeNotBound',
      ...onSource,
    },
    {
      situation: 'somebody deletes it',
      world: withVolume(offer.plain({}, { deletionTimestamp })),
      says: 'reject VolumeDeleting',
      ...onSource,
    },
    {
      situation: 'its Secrets are in the namespace that it leaves',
      world: withVolume(withSecret('prod')),
      says: 'reject SecretsInSourceNamespace',
      ...onSource,
    },
    {
      situation: 'its Secrets are elsewhere: nothing is wrong',
      world: withVolume(withSecret('storage-system')),
      write: 'patch source',
      next: 'patch volume',
    },
    {
      situation: 'it does not leave the namespace of its Secrets: nothing is wrong',
      world: {
        ...withVolume(withSecret('prod')),
        source: offer.offered({ annotations: { transferRequest: 'prod/copy' } }),
        destination: { namespace: 'prod', name: 'copy' },
      },
      write: 'patch source',
      next: 'patch volume',
    },
    {
      situation: 'it is being resized',
      world: growing,
      says: 'wait VolumeResizing',
      saying: 'to 2Gi',
      ...onSource,
    },
    {
      situation: 'its attributes are being changed',
      world: changing,
      says: 'wait VolumeModifying',
      saying: 'to attributes class gold',
      ...onSource,
    },
    {
      situation: 'a request is moving it',
      world: withVolume(offer.plain({}, { annotations: request.record })),
      says: 'wait VolumeBusy',
      ...onSource,
    },
    {
      situation: 'the transfer of a request is being taken back on it',
      world: withVolume(offer.plain({}, { annotations: { [request.undoingMark]: request.transfer } })),
      says: 'wait VolumeBusy',
      ...onSource,
    },
  ]);
});
