import type { TransferApproval, TransferStatus } from '../../../kubernetes/objects.ts';
import { identityOf, sameIdentity, samePlace } from '../../../kubernetes/places.ts';
import { areSaid, type Said, stamp } from '../../../reconcile/conditions.ts';
import { crowdedOf, withoutCrowded } from '../../../reconcile/crowded.ts';
import type { Decision } from '../../../reconcile/step.ts';
import type { WriteDecision } from '../../../reconcile/writes.ts';
import type { Measurement } from '../../../runtime/metrics.ts';
import { durationSince, measured } from '../measurements.ts';
import type { TransferWorld } from '../world.ts';
import { freeOnesFirst, patchStatus, type Written } from '../writes.ts';
import { isAddressed } from './addressed.ts';
import { isUsed, matches } from './consent.ts';
import { type Blocker, blockedConditions, completeConditions, failedConditions } from './stages.ts';
import { recordFor, recordOf, type VolumeRecord } from './volume-marks.ts';

export type { Blocker };

/** Reports on the request and on its approval what the transfer waits for; then waits. */
export function blocked(world: TransferWorld, blocker: Blocker, now: Date): Decision<TransferWorld> {
  const { reason, message, verdict } = blocker;
  // Whatever is still to be tidied up, what is complete stays so.
  if (world.request?.status?.complete) return { do: verdict, reason, message };
  const says = saying(blocker);
  // An approval that has been used stays a record of what it was used for.
  const isOpen = world.approval !== undefined && !isUsed(world.approval);
  const isRejected = isMeant(world) && blocker.stage === 'Matched' && verdict === 'reject';
  const concernsApproval = isOpen && (isAgreed(world) || isRejected);
  for (const slot of freeOnesFirst(world, concernsApproval ? (['request', 'approval'] as const) : ['request'])) {
    const telling = report(world, slot, slot === 'approval' ? saying(blocker.toApproval ?? blocker) : says, now);
    if (telling) return telling;
  }
  return { do: verdict, reason, message };
}

/** Reports on an approval alone what it waits for. */
export function blockedApproval(world: TransferWorld, blocker: Blocker, now: Date): Decision<TransferWorld> {
  const { reason, message, verdict } = blocker;
  return report(world, 'approval', saying(blocker), now) ?? { do: verdict, reason, message };
}

/** Reports that the server rejects a write that a transfer needs. A rejected target has its own reason. */
export function refusedBlocker({ refused, target }: TransferWorld): Blocker | undefined {
  const isStorage = refused?.slot === 'source' || refused?.slot === 'volume' || (refused?.slot === 'target' && target);
  if (!refused || !isStorage) return undefined;
  const message = `the ${refused.slot} cannot be changed: ${refused.message}`;
  return { stage: 'Fenced', verdict: 'reject', reason: 'WriteRefused', message };
}

/** Reports on both objects that the transfer is complete; on the request last, because resuming depends on it. */
export function completed(world: TransferWorld, now: Date): Decision<TransferWorld> {
  const measure = [
    measured('TransfersCompleted', 'ByRequest'),
    durationSince(now, 'ByRequest', [world.request, world.approval]),
  ];
  const onRequest = () => report(world, 'request', { ...completeSaying, measure }, now);
  return approvalUsed(world, now) ?? onRequest() ?? { do: 'done', reason: 'Complete' };
}

/** Reports on the request that the work itself failed, and is given up until the next change or resync. */
export function failed(world: TransferWorld, message: string, now: Date): Decision<TransferWorld> {
  const says: Saying = {
    conditions: (before) => failedConditions(before?.conditions, message),
    complete: false,
    error: message,
    measure: [measured('TransfersFailed', 'ByRequest', 'Failed')],
  };
  const decision = world.request?.status?.complete ? undefined : report(world, 'request', says, now);
  return decision ?? { do: 'reject', reason: 'Failed', message };
}

/** Reports on an approval that the work itself failed. */
export function failedApproval(world: TransferWorld, message: string, now: Date): Decision<TransferWorld> {
  const conditions: Saying['conditions'] = (before) => failedConditions(before?.conditions, message);
  const isOver = world.approval?.status?.complete === true;
  const decision = isOver ? undefined : report(world, 'approval', { conditions, complete: false, error: message }, now);
  return decision ?? { do: 'reject', reason: 'Failed', message };
}

/** Anyone can write a request that names an approval of others: only requests that the approval names are reported on it. */
function isMeant({ request, approval }: TransferWorld): boolean {
  return request !== undefined && approval !== undefined && isAddressed(request, approval);
}

/**
 * Tells the approval that it has been used, while the source that it was for still has its name: a claim that is made anew
 * under that name finds no approval that agrees to it as well. One that cannot be told holds nothing up.
 */
export function approvalUsed(world: TransferWorld, now: Date): Decision<TransferWorld> | undefined {
  const isOpen = world.approval !== undefined && !isUsed(world.approval);
  return isOpen && isAgreed(world) && world.refused?.slot !== 'approval'
    ? report(world, 'approval', completeSaying, now)
    : undefined;
}

/**
 * The approval is that of this very transfer. Once that is recorded the record tells, whatever has become of the request:
 * one that is being deleted agrees to nothing any more, but what it was approved for is on its way.
 */
function isAgreed({ request, approval, volume }: TransferWorld): boolean {
  if (!approval) return false;
  const record = recordOf(volume);
  const isRecorded = record && (!request || sameIdentity(record.transfer, identityOf(request)));
  return isRecorded ? isOf(record, approval) : matches(request, approval);
}

function isOf(record: VolumeRecord, { spec, metadata }: TransferApproval): boolean {
  return (
    record.approval === metadata.name &&
    (record.approvalUid === undefined || record.approvalUid === metadata.uid) &&
    record.source.namespace === metadata.namespace &&
    record.source.name === spec.source.name &&
    samePlace(record.transfer, { namespace: spec.targetNamespace, name: spec.requestName })
  );
}

interface Saying {
  conditions: (before: TransferStatus | undefined) => Said[];
  complete: boolean;
  error?: string;
  measure?: Measurement[];
}

const completeSaying: Saying = { conditions: () => completeConditions(), complete: true };

function saying(blocker: Blocker): Saying {
  const conditions = () => blockedConditions(blocker);
  if (blocker.verdict === 'wait') return { conditions, complete: false };
  const measure = [measured('TransfersFailed', 'ByRequest', blocker.reason)];
  return { conditions, complete: false, error: blocker.message, measure };
}

/** The write that reports this on an object; undefined if it is up to date or does not exist. */
function report(world: TransferWorld, slot: 'request' | 'approval', saying: Saying, now: Date) {
  const { request, approval } = world;
  return slot === 'request'
    ? setCondition('request', request, saying, now, { status: volumeOf(world), measure: saying.measure })
    : setCondition('approval', approval, saying, now);
}

interface Also {
  status: object;
  measure: Measurement[] | undefined;
}

function setCondition<S extends 'request' | 'approval'>(
  slot: S,
  object: Written[S] | undefined,
  { conditions: say, complete, error }: Saying,
  now: Date,
  also?: Also,
): WriteDecision<S, Written[S]> | undefined {
  if (!object) return undefined;
  const { metadata } = object;
  const crowded = crowdedOf(object.status?.conditions);
  // The condition Crowded is managed elsewhere.
  const before = object.status && { ...object.status, conditions: withoutCrowded(object.status.conditions) };
  const said = say(before);
  const isTold = before !== undefined && (before.complete ?? false) === complete && before.error?.message === error;
  if (isTold && before.observedGeneration === metadata.generation && areSaid(before.conditions, said)) return undefined;
  const conditions = said.map((each) => stamp(each, before?.conditions, metadata.generation ?? 0, now));
  const status = {
    complete,
    error: error === undefined ? null : { time: now.toISOString(), message: error },
    observedGeneration: metadata.generation,
    conditions: [...conditions, ...crowded],
    ...also?.status,
  };
  const last = said.at(-1);
  const type = error === undefined ? 'Normal' : 'Warning';
  const announce = last ? [{ regarding: object, type, reason: last.reason, message: last.message } as const] : [];
  return patchStatus(slot, object, status, { announce, ...(also?.measure ? { measure: also.measure } : {}) });
}

/**
 * When the source is gone and the target not there yet, only this leads from the request to the volume. Before the volume
 * is the request's it is nobody's business in the request's namespace.
 */
function volumeOf({ request, volume }: TransferWorld): { volumeName?: string } {
  const isOurs = request !== undefined && recordFor(request, volume) !== undefined;
  return isOurs && volume ? { volumeName: volume.metadata.name } : {};
}
