import type { Claim } from '../../../lib/cluster/objects.ts';
import { formatPlace } from '../../../lib/cluster/places.ts';
import type { Decision, Write } from '../../../lib/reconcile/step.ts';
import { isOffered } from '../../../lib/transfers/by-annotation/claim-marks.ts';
import { offerOn } from '../../../lib/transfers/by-annotation/volume-marks.ts';
import type { TransferWorld } from '../../../lib/transfers/world.ts';
import { mergePatch } from '../merge-patch.ts';
import { bodyOf, changing, type Decide, deciding, seeing, toNothing, withoutSpec } from '../mutating.ts';
import type { TransferMutant } from './transfer-mutant.ts';

export const mutantsOfOffers: TransferMutant[] = [
  { name: 'offer-not-secured', step: changing(isOfferRecord, withoutSpec), actions: [] },
  { name: 'offer-not-fenced', step: seeing(assumeFence), actions: [] },
  {
    name: 'offer-remembered',
    step: seeing(rememberOffer),
    actions: ['take offer back', 'use source in pod', 'end pod'],
  },
  {
    name: 'acceptance-assumed',
    step: seeing(assumeAcceptance),
    actions: ['take target name', 'take acceptance back'],
  },
  { name: 'given-before-release', step: deciding(giveBeforeRelease), actions: ['use source in pod'] },
  {
    name: 'late-withdrawal-destroys',
    step: changing(withdrawsLate, withOriginalPolicy),
    actions: ['use source in pod', 'take offer back'],
  },
  { name: 'offered-policy-kept', step: changing(endsOffer, withoutSpec), actions: [] },
  { name: 'pending-for-ever', step: changing(clearsClaim, toNothing), actions: ['take offer back', 'offer elsewhere'] },
];

function rememberOffer(world: TransferWorld): TransferWorld {
  const offer = offerOn(world.volume);
  if (!offer || !world.source) return world;
  const annotations = { transferRequest: formatPlace(offer.destination) };
  return { ...world, source: mergePatch(world.source, { metadata: { annotations } }) as Claim };
}

/** The volume is made safe, but the claim may vanish before its owner's last word is seen. */
function assumeFence(world: TransferWorld): TransferWorld {
  const { source } = world;
  if (!source?.metadata.annotations?.transferRequest || offerOn(world.volume) || isOffered(source)) return world;
  const finalizers = [...(source.metadata.finalizers ?? []), 'longshore.dev/transfer-offer'];
  return { ...world, source: { ...source, metadata: { ...source.metadata, finalizers } } };
}

function assumeAcceptance(world: TransferWorld): TransferWorld {
  const offer = offerOn(world.volume);
  if (!offer || !world.target) return world;
  const annotations = { transferAccept: formatPlace(offer.source) };
  return { ...world, target: mergePatch(world.target, { metadata: { annotations } }) as Claim };
}

function giveBeforeRelease(decide: Decide<TransferWorld>, world: TransferWorld, now: Date): Decision {
  const { source, volume } = world;
  if (!source?.metadata.deletionTimestamp || !offerOn(volume)) return decide(world, now);
  const finalizers = source.metadata.finalizers?.filter((finalizer) => finalizer.startsWith('longshore.dev/')) ?? [];
  return decide({ ...world, pods: [], source: { ...source, metadata: { ...source.metadata, finalizers } } }, now);
}

function isOfferRecord(write: Write): boolean {
  return write.slot === 'volume' && bodyOf(write).includes('transfer-offered-by":"');
}

function withdrawsLate(write: Write): boolean {
  return bodyOf(write).includes('transfer-status":"withdrawn"');
}

function withOriginalPolicy(write: Write): Write {
  const spec = { persistentVolumeReclaimPolicy: 'Delete' };
  return write.verb === 'patch' ? { ...write, body: { ...write.body, spec } } : write;
}

function endsOffer(write: Write): boolean {
  return write.slot === 'volume' && bodyOf(write).includes('transfer-offered-by":null');
}

function clearsClaim(write: Write): boolean {
  return bodyOf(write).includes('pvc.kubernetes.io/transfer-status":null');
}
