import type { Cluster } from '../../lib/cluster/cluster.ts';
import type { Claim, TransferApproval, Volume } from '../../lib/cluster/objects.ts';
import { nameOf, resources } from '../../lib/cluster/resources.ts';
import { type Decision, preconditionsOf, type Step, type Write } from '../../lib/reconcile/step.ts';
import { isOffered } from '../../lib/transfers/by-annotation/claim-marks.ts';
import { offerOn } from '../../lib/transfers/by-annotation/volume-marks.ts';
import { recordOf } from '../../lib/transfers/by-request/marks.ts';
import { formatPlace } from '../../lib/transfers/places.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';
import { mergePatch } from './merge-patch.ts';
import { grantOf } from './objects.ts';
import type { Mutant } from './plan.ts';

/** Sequences that are wrong on purpose. If the simulation let one pass, its passing the right one would mean nothing. */
export const mutants: Mutant[] = [
  { name: 'claimref-before-release', step: deciding(claimRefBeforeRelease) },
  { name: 'volume-not-secured', step: changing((write) => isRecord(write, 'Retain'), withoutSpec) },
  { name: 'policy-not-restored', step: changing((write) => isRecord(write, 'other'), withoutSpec) },
  { name: 'claimref-emptied', step: changing(movesClaimRef, emptiesClaimRef) },
  { name: 'undo-without-mark', step: deciding(undoWithoutMark), actions: ['withdraw approval', 'withdraw request'] },
  { name: 'never-undone', step: deciding(neverUndone) },
  { name: 'consent-remembered', step: rememberingApprovals },
  { name: 'approval-forgotten', step: changing((write) => write.slot === 'approval', toNothing) },
  { name: 'preconditions-ignored', cluster: ignoringPreconditions, actions: ['withdraw approval', 'approve again'] },
  { name: 'grant-remembered', step: reading(rememberGrant), actions: ['grant', 'revoke grant', 'use source in pod'] },
  { name: 'switch-ignored', step: reading(forgetSettings), actions: ['switch requests', 'switch annotations'] },
  { name: 'offer-not-secured', step: changing(isOfferRecord, withoutSpec), actions: [] },
  { name: 'offer-not-fenced', step: reading(assumeFence), actions: [] },
  {
    name: 'offer-remembered',
    step: reading(rememberOffer),
    actions: ['take offer back', 'use source in pod', 'end pod'],
  },
  {
    name: 'acceptance-assumed',
    step: reading(assumeAcceptance),
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

type Decide = Step<TransferWorld>['decide'];

function deciding(change: (decide: Decide, world: TransferWorld, now: Date) => Decision) {
  return (step: Step<TransferWorld>): Step<TransferWorld> => ({
    ...step,
    decide: (world, now) => change(step.decide, world, now),
  });
}

function changing(applies: (write: Write) => boolean, change: (write: Write) => Write | undefined) {
  return deciding((decide, world, now) => {
    const decision = decide(world, now);
    if (decision.do !== 'write' || !applies(decision.write)) return decision;
    const write = change(decision.write);
    return write ? { do: 'write', write } : { do: 'done', reason: 'Mutated' };
  });
}

function claimRefBeforeRelease(decide: Decide, world: TransferWorld, now: Date): Decision {
  const { source, target, volume } = world;
  if (!volume || !target || !source || !recordOf(volume) || volume.spec.claimRef?.uid !== source.metadata.uid) {
    return decide(world, now);
  }
  const { namespace, name, uid } = target.metadata;
  const object = nameOf(resources.volume, undefined, volume.metadata.name);
  const body = { spec: { claimRef: { namespace, name, uid } } };
  return {
    do: 'write',
    write: { verb: 'patch', slot: 'volume', object, body, preconditions: preconditionsOf(volume) },
  };
}

function undoWithoutMark(decide: Decide, world: TransferWorld, now: Date): Decision {
  const decision = decide(world, now);
  const { volume } = world;
  if (!volume || !marksUndoing(decision)) return decision;
  return decide({ ...world, volume: mergePatch(volume, decision.write.body) as Volume }, now);
}

function neverUndone(decide: Decide, world: TransferWorld, now: Date): Decision {
  const decision = decide(world, now);
  return marksUndoing(decision) ? { do: 'done', reason: 'Mutated' } : decision;
}

function marksUndoing(decision: Decision): decision is { do: 'write'; write: Write & { verb: 'patch' } } {
  if (decision.do !== 'write' || decision.write.verb !== 'patch') return false;
  return decision.write.slot === 'volume' && JSON.stringify(decision.write.body).includes('transfer-undoing":"');
}

function rememberingApprovals(step: Step<TransferWorld>): Step<TransferWorld> {
  return {
    ...step,
    read: async (cluster, key, now) => {
      const world = await step.read(cluster, key, now);
      if (world.approval || !world.request) return world;
      const { source, approvalName } = world.request.spec;
      const approval: TransferApproval = {
        apiVersion: resources.transferApproval.apiVersion,
        kind: resources.transferApproval.kind,
        metadata: { namespace: source.namespace, name: approvalName ?? '' },
        spec: {
          source: { name: source.name, kind: source.kind },
          targetNamespace: world.request.metadata.namespace ?? '',
          requestName: world.request.metadata.name,
        },
      };
      return { ...world, approval };
    },
  };
}

function ignoringPreconditions(cluster: Cluster): Cluster {
  const present = async (object: Parameters<Cluster['get']>[0]) => {
    const found = await cluster.get(object);
    return found ? preconditionsOf(found) : { uid: '', resourceVersion: '' };
  };
  return {
    name: cluster.name,
    get: (object) => cluster.get(object),
    list: (resource, namespace, age) => cluster.list(resource, namespace, age),
    create: (object, body) => cluster.create(object, body),
    patch: async (object, body, options) =>
      cluster.patch(object, body, { ...options, preconditions: await present(object) }),
    delete: async (object) => cluster.delete(object, await present(object)),
  };
}

function isRecord(write: Write, policy: 'Retain' | 'other'): boolean {
  if (write.verb !== 'patch' || write.slot !== 'volume') return false;
  return JSON.stringify(write.body).includes(policy === 'Retain' ? 'transfer-source":"' : 'transfer-done":"true"');
}

function withoutSpec(write: Write): Write {
  if (write.verb !== 'patch') return write;
  const { spec: _, ...body } = write.body as { spec?: unknown };
  return { ...write, body };
}

function movesClaimRef(write: Write): boolean {
  return write.verb === 'patch' && write.slot === 'volume' && JSON.stringify(write.body).includes('claimRef');
}

function emptiesClaimRef(write: Write): Write {
  return write.verb === 'patch' ? { ...write, body: { spec: { claimRef: null } } } : write;
}

function toNothing(): undefined {
  return undefined;
}

/** A worker that remembers, or overlooks, part of what it should have read. */
function reading(change: (world: TransferWorld) => TransferWorld) {
  return (step: Step<TransferWorld>): Step<TransferWorld> => ({
    ...step,
    read: async (cluster, key, now) => change(await step.read(cluster, key, now)),
  });
}

function rememberGrant(world: TransferWorld): TransferWorld {
  return { ...world, grants: [grantOf()] };
}

function forgetSettings({ settings: _, ...world }: TransferWorld): TransferWorld {
  return world;
}

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

function giveBeforeRelease(decide: Decide, world: TransferWorld, now: Date): Decision {
  const { source, volume } = world;
  if (!source?.metadata.deletionTimestamp || !offerOn(volume)) return decide(world, now);
  const finalizers = source.metadata.finalizers?.filter((finalizer) => finalizer.startsWith('longshore.dev/')) ?? [];
  return decide({ ...world, pods: [], source: { ...source, metadata: { ...source.metadata, finalizers } } }, now);
}

function bodyOf(write: Write): string {
  return write.verb === 'patch' ? JSON.stringify(write.body) : '';
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
