import type { TransferApproval, TransferRequest, Volume } from '../../../kubernetes/objects.ts';
import { identityOf, sameIdentity, samePlace } from '../../../kubernetes/places.ts';
import { resources } from '../../../kubernetes/resources.ts';
import type { Said } from '../../../reconcile/conditions.ts';
import { isCrowdedType } from '../../../reconcile/crowded.ts';
import { reject } from '../../../reconcile/obstacle.ts';
import { asSaidBy, isDerivedType } from '../../../reconcile/ready.ts';
import { type ReportedPart, report } from '../../../reconcile/report.ts';
import { patchDerived } from '../../../reconcile/status.ts';
import type { Decision } from '../../../reconcile/step.ts';
import type { WriteDecision } from '../../../reconcile/writes.ts';
import type { Measurement } from '../../../runtime/metrics.ts';
import { durationSince, measured } from '../measurements.ts';
import {
  type SideOfRequest,
  type Stage,
  type StagedObstacle,
  stageOf,
  stallsOn,
  type TransferReason,
} from '../reasons.ts';
import type { TransferWorld } from '../world.ts';
import { freeOnesFirst, type Written } from '../writes.ts';
import { isAddressed } from './addressed.ts';
import { isForClaim } from './approved-claim.ts';
import { isUsed, matches, obstacleOfApproval } from './consent.ts';
import { blockedConditions, completeConditions, failedConditions } from './stages.ts';
import { recordFor, recordOf, type VolumeRecord } from './volume-marks.ts';

/** Reports on the request and on its approval what the transfer waits for; then waits. */
export function blocked(
  world: TransferWorld,
  obstacle: StagedObstacle,
  now: Date,
  stage: Stage = stageOf(obstacle.reason),
): Decision<TransferWorld> {
  // A complete transfer stays complete, even if cleanup remains.
  if (world.request?.status?.complete) return obstacle;
  // A used approval remains as a record of the transfer that it was used for.
  const isOpen = world.approval !== undefined && !isUsed(world.approval);
  const isRejected = isMeant(world) && stage === 'Matched' && obstacle.do === 'reject';
  const concernsApproval = isOpen && (isAgreed(world) || isRejected);
  for (const slot of freeOnesFirst(world, concernsApproval ? (['request', 'approval'] as const) : ['request'])) {
    const shown = slot === 'approval' ? (obstacleOfApproval(world, obstacle) ?? obstacle) : obstacle;
    const reporting = reportOn(world, slot, waiting(shown, stage), now);
    if (reporting) return reporting;
  }
  return obstacle;
}

/** Reports on an approval alone what it waits for. */
export function blockedApproval(world: TransferWorld, obstacle: StagedObstacle, now: Date): Decision<TransferWorld> {
  return reportOn(world, 'approval', waiting(obstacle), now) ?? obstacle;
}

/** Reports that the server rejects a write that a transfer needs. A rejected target has its own reason. */
export function refusedObstacle({ refused, target }: TransferWorld): StagedObstacle | undefined {
  const isStorage = refused?.slot === 'source' || refused?.slot === 'volume' || (refused?.slot === 'target' && target);
  if (!refused || !isStorage) return undefined;
  return reject('WriteRefused', `the ${refused.slot} cannot be changed: ${refused.message}`);
}

/** Reports on both objects that the transfer is complete; on the request last, because resuming depends on it. */
export function completed(world: TransferWorld, now: Date): Decision<TransferWorld> {
  const measure = [
    measured('TransfersCompleted', 'ByRequest'),
    durationSince(now, 'ByRequest', [world.request, world.approval]),
  ];
  const onRequest = () => reportOn(world, 'request', { ...complete, measure }, now);
  return approvalUsed(world, now) ?? onRequest() ?? { do: 'done', reason: 'Complete' };
}

/** Reports on the request that the work itself failed, and is given up until the next change or resync. */
export function failed(world: TransferWorld, message: string, now: Date): Decision<TransferWorld> {
  return failedOn(world, 'request', message, now);
}

/** Reports on an approval that the work itself failed. */
export function failedApproval(world: TransferWorld, message: string, now: Date): Decision<TransferWorld> {
  return failedOn(world, 'approval', message, now);
}

function failedOn(world: TransferWorld, slot: Slot, error: string, now: Date): Decision<TransferWorld> {
  const { complete, conditions } = world[slot]?.status ?? {};
  const said = failedConditions(
    conditions?.filter(({ type }) => isOurs(type)),
    error,
  );
  const measure = [measured('TransfersFailed', 'ByRequest', 'Failed')];
  const reporting = complete ? undefined : reportOn(world, slot, { said, error, measure }, now);
  return reporting ?? reject('Failed', error);
}

/** Anyone can write a request that names an approval of others: only requests that the approval names are reported on it. */
function isMeant({ request, approval }: TransferWorld): boolean {
  return request !== undefined && approval !== undefined && isAddressed(request, approval);
}

/**
 * Reports on the approval that it has been used while the source still has its name: a claim that is recreated under
 * that name finds no approval that covers it too. A write that is refused here delays nothing.
 */
export function approvalUsed(world: TransferWorld, now: Date): Decision<TransferWorld> | undefined {
  const isOpen = world.approval !== undefined && !isUsed(world.approval);
  return isOpen && isAgreed(world) && world.refused?.slot !== 'approval'
    ? reportOn(world, 'approval', complete, now)
    : undefined;
}

/**
 * True if the approval is for this very transfer. Once there is a record it decides, whatever happens to the request: a
 * deleted request covers nothing any more, but the approved transfer is under way.
 */
function isAgreed({ request, approval, source, volume }: TransferWorld): boolean {
  if (!approval) return false;
  const record = recordOf(volume);
  const isRecorded = record && (!request || sameIdentity(record.transfer, identityOf(request)));
  return isRecorded ? isOf(record, approval) : matches(request, approval) && isForClaim(approval, source);
}

function isOf(record: VolumeRecord, { spec, metadata }: TransferApproval): boolean {
  return (
    record.approval === metadata.name &&
    (record.approvalUid === undefined || record.approvalUid === metadata.uid) &&
    record.source.namespace === metadata.namespace &&
    record.source.name === spec.source.name &&
    (!spec.source.uid || record.source.uid === spec.source.uid) &&
    samePlace(record.transfer, { namespace: spec.targetNamespace, name: spec.requestName })
  );
}

type Slot = SideOfRequest;

interface StatusReport {
  said: Said<TransferReason>[];
  isComplete?: boolean;
  /** The problem that the user has to solve. */
  error?: string;
  /** Counted with the request alone. */
  measure?: Measurement[] | undefined;
}

const complete: StatusReport = { said: completeConditions(), isComplete: true };

function waiting(obstacle: StagedObstacle, stage: Stage = stageOf(obstacle.reason)): StatusReport {
  const said = blockedConditions(stage, obstacle);
  if (obstacle.do === 'wait') return { said };
  return { said, error: obstacle.message, measure: [measured('TransfersFailed', 'ByRequest', obstacle.reason)] };
}

/** All conditions are ours except Crowded, which is written elsewhere, and those that follow from ours. */
function isOurs(type: string): boolean {
  return !isCrowdedType(type) && !isDerivedType(type);
}

/** A transfer is ready when it is complete, on both sides of it. */
const readinessOn = (side: Slot) => (object: Written[Slot]) =>
  asSaidBy(
    object.status?.conditions?.find(({ type }) => type === 'Complete'),
    (reason) => stallsOn(side, reason),
  );
const kept = {
  isOurs,
  hasGeneration: true,
  arrange: (ours, others) => [...ours, ...others],
} satisfies Partial<ReportedPart<Slot, Written[Slot]>>;
const parts: { readonly [S in Slot]: ReportedPart<S, Written[S]> } = {
  request: { slot: 'request', resource: resources.transferRequest, readiness: readinessOn('request'), ...kept },
  approval: { slot: 'approval', resource: resources.transferApproval, readiness: readinessOn('approval'), ...kept },
};

/** The write that an object needs on which an earlier version has reported that it is complete. */
export function updateDerived<S extends Slot>(
  slot: S,
  object: Written[S],
  now: Date,
): WriteDecision<S, Written[S]> | undefined {
  return patchDerived(parts[slot], object, now);
}

/** The write that reports this on an object; undefined if it is up to date or does not exist. */
function reportOn({ request, approval, volume }: TransferWorld, slot: Slot, statusReport: StatusReport, now: Date) {
  return slot === 'request'
    ? reportOnObject('request', request, statusReport, now, volumeOf(request, volume))
    : reportOnObject('approval', approval, { ...statusReport, measure: undefined }, now);
}

function reportOnObject<S extends Slot>(
  slot: S,
  object: Written[S] | undefined,
  { said, isComplete = false, error, measure }: StatusReport,
  now: Date,
  also: object = {},
): WriteDecision<S, Written[S], TransferReason> | undefined {
  if (!object) return undefined;
  const { status: before, metadata } = object;
  const observedGeneration = metadata.generation;
  const isReported = (before?.complete ?? false) === isComplete && before?.error?.message === error;
  const isDue = !isReported || before?.observedGeneration !== observedGeneration;
  const problem = error === undefined ? null : { time: now.toISOString(), message: error };
  const status = { complete: isComplete, error: problem, observedGeneration, ...also };
  return report(parts[slot], object, { said, status, isDue, event: problem ? 'Warning' : 'Normal', measure }, now);
}

/**
 * When the source is gone and the target does not exist yet, only this leads from the request to the volume. Until the
 * volume belongs to the request, its name is not disclosed in the request's namespace.
 */
function volumeOf(request: TransferRequest | undefined, volume: Volume | undefined): { volumeName?: string } {
  const isOurs = request !== undefined && recordFor(request, volume) !== undefined;
  return isOurs && volume ? { volumeName: volume.metadata.name } : {};
}
