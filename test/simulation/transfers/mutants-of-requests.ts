import { transferredBy } from '../../../lib/capabilities/transfers/by-request/claim-marks.ts';
import { recordOf } from '../../../lib/capabilities/transfers/by-request/volume-marks.ts';
import type { Slot, TransferWorld } from '../../../lib/capabilities/transfers/world.ts';
import type { Namespace, TransferApproval, Volume } from '../../../lib/kubernetes/objects.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { type Decision, preconditionsOf, type Step, type Write } from '../../../lib/reconcile/step.ts';
import { ignoringPreconditions } from '../ignoring-preconditions.ts';
import { mergePatch } from '../merge-patch.ts';
import { changing, type Decide, deciding, reading, seeing, toNothing, withoutSpec } from '../mutating.ts';
import { grantOf, requestOf } from './objects.ts';
import type { TransferMutant } from './transfer-mutant.ts';

const replaced = ['delete target namespace', 'make target namespace anew', 'hold source', 'ask again'] as const;

export const mutantsOfRequests: TransferMutant[] = [
  {
    name: 'consent-never-too-old',
    isRare: true,
    step: seeing(justRead),
    actions: ['withdraw approval', 'withdraw request'],
  },
  {
    name: 'approval-used-twice',
    step: reading(forgetUse),
    actions: ['withdraw request', 'ask again', 'make source anew'],
  },
  { name: 'approved-claim-ignored', step: reading(forgetApprovedClaim), actions: ['make source anew'] },
  {
    name: 'approval-used-by-request-only',
    isRare: true,
    step: seeing(forgetAgreement),
    actions: ['let request go', 'ask for more', 'remake source unoffered'],
  },
  {
    name: 'approval-used-at-the-end',
    isRare: true,
    step: seeing(agreeAtTheEnd),
    actions: ['let request go', 'ask for more', 'remake source unoffered'],
  },
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
  { name: 'any-namespace', step: seeing(withOldNamespaces), actions: replaced },
  {
    name: 'label-confirms',
    step: asWrittenWithLabel,
    actions: ['relabel grant'],
  },
  {
    name: 'request-for-two-volumes',
    step: seeing(forgetCompletion),
    actions: ['strip finalizers', 'remake source unoffered', 'delete target'],
  },
  { name: 'record-for-ever', step: seeing(rememberRequest), actions: replaced },
  {
    name: 'fence-unconfirmed',
    isRare: true,
    step: seeing(sureOf('source')),
    actions: ['approve in haste'],
  },
  { name: 'refusal-holds', step: deciding(holdRefused), actions: [] },
  {
    name: 'target-outgrown',
    step: seeing(asLargeAsTheTarget),
    actions: ['grow source', 'use source in pod', 'end pod'],
  },
  { name: 'driver-ignored', step: seeing(withoutDriver), actions: ['grow source'] },
  { name: 'switch-ignored', step: reading(forgetSettings), actions: ['switch requests', 'switch annotations'] },
];

/** After each namespace that is made in a run. */
const late = '2030-01-01T00:00:00Z';
const early = '2020-01-01T00:00:00Z';

function withOldNamespaces(world: TransferWorld): TransferWorld {
  const { sourceNamespace: source, targetNamespace: target } = world;
  const asOld = (namespace: Namespace): Namespace => ({
    ...namespace,
    metadata: { ...namespace.metadata, creationTimestamp: early },
  });
  return { ...world, sourceNamespace: source && asOld(source), targetNamespace: target && asOld(target) };
}

/** Whatever a manager changes says that it means the present namespace. A list does not have what managers changed. */
function asWrittenWithLabel(step: Step<TransferWorld>): Step<TransferWorld> {
  return {
    ...step,
    read: async (cluster, key, now) => {
      const world = await step.read(cluster, key, now);
      const { namespace, name } = grantOf().metadata;
      const grant = await cluster.get(nameOf(resources.referenceGrant, namespace, name));
      const { time } = grant?.metadata.managedFields?.[0] ?? {};
      if (!grant || !time || !world.grants) return world;
      return { ...world, grants: [{ ...grant, metadata: { ...grant.metadata, creationTimestamp: time } }] };
    },
  };
}

/** What has the record is finished, whatever has become of the request. */
function rememberRequest(world: TransferWorld): TransferWorld {
  const record = recordOf(world.volume);
  if (!record || world.request) return world;
  const { namespace, name, uid } = record.transfer;
  const request = { ...requestOf(namespace, name, record.target.name), metadata: { namespace, name, uid } };
  return { ...world, request, targetUid: world.target?.metadata.uid };
}

/** The request is not known to be complete while the record of another volume than it moved is looked at. */
function forgetCompletion(world: TransferWorld): TransferWorld {
  const { request, target, volume } = world;
  const isMoved = target !== undefined && volume?.spec.claimRef?.uid === target.metadata.uid;
  if (!request?.status?.complete || !recordOf(volume) || isMoved) return world;
  return { ...world, request: { ...request, status: { ...request.status, complete: false } } };
}

function sureOf(slot: Slot) {
  return (world: TransferWorld): TransferWorld => ({ ...world, answered: [...(world.answered ?? []), slot] });
}

function claimRefBeforeRelease(decide: Decide<TransferWorld>, world: TransferWorld, now: Date): Decision {
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

function undoWithoutMark(decide: Decide<TransferWorld>, world: TransferWorld, now: Date): Decision {
  const decision = decide(world, now);
  const { volume } = world;
  if (!volume || !marksUndoing(decision)) return decision;
  return decide({ ...world, volume: mergePatch(volume, decision.write.body) as Volume }, now);
}

function neverUndone(decide: Decide<TransferWorld>, world: TransferWorld, now: Date): Decision {
  const decision = decide(world, now);
  return marksUndoing(decision) ? { do: 'done', reason: 'Mutated' } : decision;
}

function marksUndoing(decision: Decision): decision is { do: 'write'; write: Write & { verb: 'patch' } } {
  if (decision.do !== 'write' || decision.write.verb !== 'patch') return false;
  return decision.write.slot === 'volume' && JSON.stringify(decision.write.body).includes('transfer-undoing":"');
}

/** What the quota of the target's namespace refuses holds the source until there is room. */
function holdRefused(decide: Decide<TransferWorld>, world: TransferWorld, now: Date): Decision {
  const decision = decide(world, now);
  const isRefused = world.refused?.slot === 'target' && !world.target;
  return isRefused && marksUndoing(decision) ? { do: 'done', reason: 'Mutated' } : decision;
}

/** The size that was settled when the target was made is never looked at again. */
function asLargeAsTheTarget(world: TransferWorld): TransferWorld {
  const { target, volume, source } = world;
  const asked = target?.spec.resources;
  if (!target || !volume || !asked || !transferredBy(target)) return world;
  const spec = { ...volume.spec, capacity: { storage: asked.requests?.storage ?? '' } };
  const settled = source && { ...source, spec: { ...source.spec, resources: asked } };
  return { ...world, volume: { ...volume, spec }, source: settled };
}

/** The driver is at work on the volume, and nobody looks. */
function withoutDriver(world: TransferWorld): TransferWorld {
  const { source } = world;
  const conditions = source?.status?.conditions?.filter(({ type }) => type !== 'Resizing');
  return source && conditions ? { ...world, source: { ...source, status: { ...source.status, conditions } } } : world;
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
        metadata: { namespace: source.namespace, name: approvalName ?? '', creationTimestamp: late },
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

function isRecord(write: Write, policy: 'Retain' | 'other'): boolean {
  if (write.verb !== 'patch' || write.slot !== 'volume') return false;
  return JSON.stringify(write.body).includes(policy === 'Retain' ? 'transfer-source":"' : 'transfer-done":"true"');
}

function movesClaimRef(write: Write): boolean {
  return write.verb === 'patch' && write.slot === 'volume' && JSON.stringify(write.body).includes('claimRef');
}

function emptiesClaimRef(write: Write): Write {
  return write.verb === 'patch' ? { ...write, body: { spec: { claimRef: null } } } : write;
}

function rememberGrant(world: TransferWorld): TransferWorld {
  const grant = grantOf();
  return { ...world, grants: [{ ...grant, metadata: { ...grant.metadata, creationTimestamp: late } }] };
}

function forgetSettings({ settings: _, ...world }: TransferWorld): TransferWorld {
  return world;
}

function justRead(world: TransferWorld): TransferWorld {
  return { ...world, readAt: new Date(8_000_000_000_000) };
}

/** A request that is being deleted agrees to nothing, although its transfer is on its way. */
function forgetAgreement(world: TransferWorld): TransferWorld {
  const isLeaving = recordOf(world.volume) !== undefined && world.request?.metadata.deletionTimestamp !== undefined;
  return isLeaving ? { ...world, approval: undefined } : agreeAtTheEnd(world);
}

/** Until the approval is told a claim that is made anew under the source's name can be taken by it as well. */
function agreeAtTheEnd(world: TransferWorld): TransferWorld {
  return recordOf(world.volume)?.isDone === false ? { ...world, approval: undefined } : world;
}

/** An approval is for whichever claim has the name. */
function forgetApprovedClaim(world: TransferWorld): TransferWorld {
  const { approval } = world;
  if (!approval) return world;
  const { uid: _, ...source } = approval.spec.source;
  return { ...world, approval: { ...approval, spec: { ...approval.spec, source } } };
}

function forgetUse(world: TransferWorld): TransferWorld {
  const { approval, request } = world;
  if (!approval || request?.status?.complete || recordOf(world.volume)) return world;
  return { ...world, approval: { ...approval, status: {} } };
}
