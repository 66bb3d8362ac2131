import type { Claim, ClaimSpec, Volume } from '../../../kubernetes/objects.ts';
import { sameIdentity } from '../../../kubernetes/places.ts';
import { amountOf } from '../../../kubernetes/quantity.ts';
import { displayName, resources } from '../../../kubernetes/resources.ts';
import { classOf } from '../../../kubernetes/storage-class.ts';
import { reject, waitFor } from '../../../reconcile/obstacle.ts';
import type { Decision } from '../../../reconcile/step.ts';
import type { StagedObstacle } from '../reasons.ts';
import { sizeOf } from '../size.ts';
import type { TransferWorld } from '../world.ts';
import { claimName, remove } from '../writes.ts';
import { markTarget, type TransferIdentity, transferredBy, transferredFrom } from './claim-marks.ts';
import type { Course } from './course.ts';
import { held } from './held.ts';
import { recordOf } from './volume-marks.ts';

/**
 * Annotations that are untrue of any other claim: what the cluster writes about binding and provisioning, what we write,
 * to whom the source was offered,
 * and by what tools know the objects that they manage; a copy that carried those would be taken for theirs and pruned.
 */
const uncarriedAnnotations =
  /^(transferRequest$|transferAccept$|([^/]*\.)?(kubernetes\.io|k8s\.io|longshore\.dev|argoproj\.io|helm\.sh|k14s\.io|fluxcd\.io)\/)/;

/** Labels by which such tools recognize what they manage. */
const uncarriedLabels =
  /^(app\.kubernetes\.io\/(instance|managed-by)$|([^/]*\.)?(argoproj\.io|helm\.sh|k14s\.io|fluxcd\.io)\/)/;

/** Makes sure that the target claim is there and belongs to this transfer. Answers undefined when it does. */
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
 * The server has refused the target before, when the source was fenced already: then it is asked first, so that nobody's claim
 * is fenced again and again for what its own namespace refuses. Answers undefined when the server would make it.
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

/** Whether a claim was made by this transfer, for this volume. */
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
 * The volume is larger by now than what the target asks for, or is to be, or has another attributes class: then the target is
 * made anew, so that the quota of its namespace counts, or refuses, what it gets.
 */
function isOutgrown(world: TransferWorld, target: Claim, source: Claim | undefined, volume: Volume): boolean {
  if (!isUnused(target) || volume.spec.claimRef?.uid === target.metadata.uid) return false;
  // What it was allowed to ask for the source alone would tell.
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
  // It may hold data, and a claim that goes already needs nobody to do anything.
  if (target.metadata.deletionTimestamp) {
    const message = `claim ${name} is not part of this transfer and is being deleted: the transfer continues when it is gone`;
    return waitFor('TargetDeleting', message);
  }
  // Once it is recorded another request would not get the volume, and taking this one back would leave it to nobody.
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
      // Of a request that is gone it would be collected at once.
      ...(request && marks.ownerReferences ? { ownerReferences: marks.ownerReferences } : {}),
    },
    spec: { ...portableSpec(world, source, volume), volumeName: volume.metadata.name },
  };
}

/**
 * What the source's people wrote on their claim may make tools act in the target's namespace, such as one that takes
 * backups: so nothing of it comes along but what the request asks for by name, by `prefix/*`, or by `*`.
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
 * The part of a claim's spec that another claim for the same volume must share. Its classes and its size are those of the
 * volume, whatever the source says of them: they are what the quota of the target's namespace counts.
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
  return { ...asked, requests: { ...asked.requests, storage: sizeOf(volume, source) } };
}

type Possibly<T> = { [Field in keyof T]: T[Field] | undefined };

/** Leaves out what is undefined. */
function defined(spec: Possibly<ClaimSpec>): ClaimSpec {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined));
}
