import { accepts } from '../../../lib/capabilities/transfers/by-annotation/acceptance-checks.ts';
import { isOffered } from '../../../lib/capabilities/transfers/by-annotation/claim-marks.ts';
import { setCondition } from '../../../lib/capabilities/transfers/by-annotation/conditions.ts';
import { markUnfencing, offerOn } from '../../../lib/capabilities/transfers/by-annotation/volume-marks.ts';
import type { TransferWorld } from '../../../lib/capabilities/transfers/world.ts';
import type { Claim, Volume } from '../../../lib/kubernetes/objects.ts';
import { formatPlace } from '../../../lib/kubernetes/places.ts';
import { reject } from '../../../lib/reconcile/obstacle.ts';
import type { Decision, Write } from '../../../lib/reconcile/step.ts';
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
    step: deciding(withdrawAsIfNotDeleted),
    actions: ['take offer back', 'delete source'],
  },
  { name: 'deleted-claim-let-go', step: deciding(letGoUnaccepted), actions: ['take target name'] },
  { name: 'smaller-request-accepted', step: seeing(allowSmaller), actions: ['accept with less'] },
  { name: 'grown-volume-accepted', step: seeing(asAccepted), actions: ['grow source'] },
  {
    name: 'unfenced-without-note',
    step: seeing(assumeNoted),
    actions: ['offer in haste'],
  },
  { name: 'advice-that-loses', step: deciding(adviseToDelete), actions: ['remake source as before', 'follow advice'] },
  {
    name: 'told-by-turns',
    isRare: true,
    step: deciding(tellWhoIsToldByAnother),
    actions: ['delete target namespace', 'remake source as before', 'make target namespace anew'],
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

/** The claim is deleted already: with its own policy the volume goes. */
function withdrawAsIfNotDeleted(decide: Decide<TransferWorld>, world: TransferWorld, now: Date): Decision {
  const { source, volume } = world;
  if (!source?.metadata.deletionTimestamp || source.metadata.annotations?.transferRequest) return decide(world, now);
  if (!offerOn(volume)) return decide(world, now);
  const { deletionTimestamp: _, ...metadata } = source.metadata;
  return decide({ ...world, source: { ...source, metadata } }, now);
}

/** The fence goes because there was no record, which somebody may be about to write. */
function assumeNoted(world: TransferWorld): TransferWorld {
  const { source, volume } = world;
  const isWanted = source?.metadata.annotations?.transferRequest !== undefined;
  if (!source || !volume || !isOffered(source) || offerOn(volume) || isWanted) return world;
  return { ...world, volume: mergePatch(volume, markUnfencing(source)) as Volume };
}

/** The claim that has been given its volume is to be deleted for the sake of another one. */
function adviseToDelete(decide: Decide<TransferWorld>, world: TransferWorld, now: Date): Decision {
  const decision = decide(world, now);
  if (decision.do !== 'reject' || decision.reason !== 'DestinationTaken' || !world.target) return decision;
  const message = 'this claim has another volume already: delete it and create it again';
  return setCondition(world, 'target', reject('TargetBound', message), false, now) ?? decision;
}

/** A claim is told of a volume that was released, though the claim of its name that is offered by now tells it something else. */
function tellWhoIsToldByAnother(decide: Decide<TransferWorld>, world: TransferWorld, now: Date): Decision {
  const decision = decide(world, now);
  const offer = offerOn(world.volume);
  if (decision.do !== 'reject' || !offer?.releasedAt || !world.target) return decision;
  if (!accepts(world.target, offer.source) || world.source?.metadata.uid === offer.source.uid) return decision;
  return setCondition(world, 'target', decision, false, now) ?? decision;
}

/** Nobody has the volume yet, and no quota counts it any more. */
function letGoUnaccepted(decide: Decide<TransferWorld>, world: TransferWorld, now: Date): Decision {
  return decide({ ...world, sourceNamespace: undefined }, now);
}

function allowSmaller(world: TransferWorld): TransferWorld {
  const { settings } = world;
  return settings ? { ...world, settings: { ...settings, smallerRequests: { isOn: true } } } : world;
}

/** The volume had the right size when it was offered, and nobody looks again. */
function asAccepted(world: TransferWorld): TransferWorld {
  const { volume, target } = world;
  if (!offerOn(volume) || !volume || !target?.metadata.annotations?.transferAccept) return world;
  const resources = target.spec.resources ?? {};
  const spec = { ...volume.spec, capacity: { storage: resources.requests?.storage ?? '' } };
  const source = world.source && { ...world.source, spec: { ...world.source.spec, resources } };
  return { ...world, source, volume: { ...volume, spec } };
}

function endsOffer(write: Write): boolean {
  return write.slot === 'volume' && bodyOf(write).includes('transfer-offered-by":null');
}

function clearsClaim(write: Write): boolean {
  return bodyOf(write).includes('pvc.kubernetes.io/transfer-status":null');
}
