import type { Claim, ClaimSpec, Volume } from '../../../kubernetes/objects.ts';
import { sameIdentity } from '../../../kubernetes/places.ts';
import { amountOf } from '../../../kubernetes/quantity.ts';
import { displayName, resources } from '../../../kubernetes/resources.ts';
import { classOf } from '../../../kubernetes/storage-class.ts';
import { reject, waitFor } from '../../../reconcile/obstacle.ts';
import type { Decision } from '../../../reconcile/step.ts';
import type { StagedObstacle } from '../reasons.ts';
import { requiredRequest } from '../required-request.ts';
import type { TransferWorld } from '../world.ts';
import { claimName, remove } from '../writes.ts';
import { markTarget, type TransferIdentity, transferredBy, transferredFrom } from './claim-marks.ts';
import type { Course } from './course.ts';
import { held } from './held.ts';
import { recordOf } from './volume-marks.ts';

/**
 * Annotations that would be wrong on any other claim: those of the cluster about binding and provisioning, our own, the
 * source's offers, and those by which tools recognize the objects that they manage; a copy with those would be mistaken
 * for a managed object and pruned.
 */
const uncarriedAnnotations =
  /^(transferRequest$|transferAccept$|([^/]*\.)?(kubernetes\.io|k8s\.io|longshore\.dev|argoproj\.io|helm\.sh|k14s\.io|fluxcd\.io)\/)/;

/** Labels by which such tools recognize the objects that they manage. */
const uncarriedLabels =
  /^(app\.kubernetes\.io\/(instance|managed-by)$|([^/]*\.)?(argoproj\.io|helm\.sh|k14s\.io|fluxcd\.io)\/)/;

/** Ensures that the target claim exists and belongs to this transfer. Returns undefined if it does. */
export function settleTarget(
  world: TransferWorld,
  course: Course,
  source: Claim | undefined,
  volume: Volume,
  now: Date,
): Decision<TransferWorld> | undefined {
  const { target } = world;
  if (target) {
    const obstacle = presentObstacle(world, target, course, volume);
    if (obstacle) return held(world, course, source, obstacle, now);
    return isOutgrown(world, target, source, volume) ? remove('target', target) : undefined;
  }
  const refused = refusedTarget(world, course);
  if (refused) return held(world, course, source, refused, now);
  const body = newTarget(world, course, source, volume);
  return { do: 'write', write: { verb: 'create', slot: 'target', object: claimName(course.target), body } };
}

/**
 * The API server has refused the target before, when the source was fenced already: then a dry run comes first, so that
 * a refusal by the target's own namespace does not fence the source again and again. Returns undefined if the server
 * would create it.
 */
export function tryTarget(
  world: TransferWorld,
  course: Course,
  source: Claim,
  volume: Volume,
): Decision<TransferWorld> | undefined {
  const { target, request, answered = [] } = world;
  const wasRefused = request?.status?.conditions?.some(({ reason }) => reason === 'TargetRefused') === true;
  if (target || !wasRefused || answered.includes('trial')) return undefined;
  const body = newTarget(world, course, source, volume);
  const object = claimName(course.target);
  return { do: 'write', write: { verb: 'create', slot: 'trial', object, body, isDryRun: true } };
}

/** Problems that only the target's side can fix. Until the record is written, no claim is held because of them. */
export function targetObstacle(world: TransferWorld, course: Course, volume: Volume): StagedObstacle | undefined {
  const onTarget = world.target && presentObstacle(world, world.target, course, volume);
  return onTarget ?? refusedTarget(world, course);
}

function refusedTarget({ refused, target }: TransferWorld, course: Course): StagedObstacle | undefined {
  const isTarget = refused?.slot === 'trial' || refused?.slot === 'target';
  if (!refused || !isTarget || target) return undefined;
  return reject('TargetRefused', `claim ${displayName(course.target)} cannot be created: ${refused.message}`);
}

/** True if a claim was created by this transfer, for this volume. */
export function isTargetOf(claim: Claim, transfer: TransferIdentity, volume: Volume): boolean {
  const by = transferredBy(claim);
  return by !== undefined && sameIdentity(by, transfer) && claim.spec.volumeName === volume.metadata.name;
}

/** A target that never had its volume and is not being deleted: it can be removed. */
export function isUnused(target: Claim): boolean {
  const isBound = target.status?.phase === 'Bound' || transferredFrom(target) !== undefined;
  return !isBound && !target.metadata.deletionTimestamp;
}

/**
 * True if the volume is larger by now than the target's request, or will be, or has another attributes class: then the
 * target is recreated, so that the quota of its namespace counts, or refuses, what it gets.
 */
function isOutgrown(world: TransferWorld, target: Claim, source: Claim | undefined, volume: Volume): boolean {
  if (!isUnused(target) || volume.spec.claimRef?.uid === target.metadata.uid) return false;
  // Only the source would show the size that it may request.
  if (!source && world.settings?.smallerRequests.isOn) return false;
  const wanted = portableSpec(world, source, volume);
  const [had, has] = [target.spec, wanted].map(({ resources: asked }) => amountOf(asked?.requests?.storage) ?? 0);
  const attributes = wanted.volumeAttributesClassName;
  return (had ?? 0) < (has ?? 0) || Boolean(attributes && attributes !== target.spec.volumeAttributesClassName);
}

/** Another claim has the name of the target. */
function takenName({ target }: TransferWorld, course: Course, volume: Volume): StagedObstacle | undefined {
  if (!target || isTargetOf(target, course.transfer, volume)) return undefined;
  const name = displayName(course.target);
  // It may hold data, and if it is being deleted already no one has to act.
  if (target.metadata.deletionTimestamp) {
    const message = `claim ${name} is not part of this transfer and is being deleted: the transfer continues when it is gone`;
    return waitFor('TargetDeleting', message);
  }
  // Once the transfer is recorded another request would not get the volume, and withdrawing this one would leave the
  // volume without a claim.
  const advice = recordOf(volume)
    ? 'the transfer continues when the name is free. Another request can move that claim away. Keep this request until then'
    : 'create a request with another targetName';
  const message = `claim ${name} already exists and is not part of this transfer: ${advice}`;
  return reject('TargetExists', message);
}

function presentObstacle(
  world: TransferWorld,
  target: Claim,
  course: Course,
  volume: Volume,
): StagedObstacle | undefined {
  const name = displayName(course.target);
  const taken = takenName(world, course, volume);
  if (taken) return taken;
  if (target.metadata.deletionTimestamp) {
    return waitFor('TargetDeleting', `claim ${name} is being deleted, and is created again when it is gone`);
  }
  return undefined;
}

function newTarget(world: TransferWorld, course: Course, source: Claim | undefined, volume: Volume): Claim {
  const { request } = world;
  const marks = markTarget(course.transfer);
  const labels = carried(source?.metadata.labels, request?.spec.copyLabels, uncarriedLabels);
  const annotations = carried(source?.metadata.annotations, request?.spec.copyAnnotations, uncarriedAnnotations);
  return {
    apiVersion: resources.claim.apiVersion,
    kind: resources.claim.kind,
    metadata: {
      name: course.target.name,
      namespace: course.target.namespace,
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
      annotations: { ...annotations, ...marks.annotations },
      // With a deleted request as its owner it would be garbage-collected at once.
      ...(request && marks.ownerReferences ? { ownerReferences: marks.ownerReferences } : {}),
    },
    spec: { ...portableSpec(world, source, volume), volumeName: volume.metadata.name },
  };
}

/**
 * Labels and annotations of the source's owner may make tools act in the target's namespace, such as backup tools: so
 * none are copied but those that the request names, by name, by `prefix/*`, or by `*`.
 */
function carried(
  entries: Record<string, string> = {},
  wanted: string[] = [],
  uncarried: RegExp,
): Record<string, string> {
  const isWanted = (name: string) =>
    wanted.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each));
  return Object.fromEntries(Object.entries(entries).filter(([name]) => isWanted(name) && !uncarried.test(name)));
}

/**
 * The part of a claim's spec that another claim for the same volume must share. Classes and size are the volume's,
 * whatever the source's spec contains: the quota of the target's namespace counts them.
 */
function portableSpec({ settings }: TransferWorld, source: Claim | undefined, volume: Volume): ClaimSpec {
  const { accessModes, volumeMode } = (source ?? volume).spec;
  const storageClassName = classOf(volume);
  const volumeAttributesClassName =
    volume.spec.volumeAttributesClassName || source?.spec.volumeAttributesClassName || undefined;
  const amounts = settings?.smallerRequests.isOn && source ? source.spec.resources : amountsOf(source, volume);
  return defined({ accessModes, resources: amounts, storageClassName, volumeMode, volumeAttributesClassName });
}

function amountsOf(source: Claim | undefined, volume: Volume): ClaimSpec['resources'] {
  const { resources: asked = {} } = source?.spec ?? {};
  return { ...asked, requests: { ...asked.requests, storage: requiredRequest(volume, source) } };
}

type Possibly<T> = { [Field in keyof T]: T[Field] | undefined };

/** Omits undefined values. */
function defined(spec: Possibly<ClaimSpec>): ClaimSpec {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined));
}
