import type { Uid } from '../../../kubernetes/brands.ts';
import type { Namespace, ReclaimPolicy, TransferRequest, Volume } from '../../../kubernetes/objects.ts';
import {
  formatIdentity,
  formatPlace,
  type Identity,
  identityOf,
  type Place,
  parseIdentity,
  parsePlace,
  sameIdentity,
} from '../../../kubernetes/places.ts';
import { formatHome, homeAnnotation, keepFor, policyAnnotation } from '../kept-volume.ts';
import type { TransferIdentity } from './claim-marks.ts';

/**
 * The marks of a transfer by request on the volume, which users cannot write to: so these are reliable. Their format is
 * known only to this file. The record is the point of no return and holds everything that is needed to finish if all
 * else is gone; the mark of a rollback makes a record impossible.
 */
const transferAnnotation = 'longshore.dev/transfer';
const undoingAnnotation = 'longshore.dev/transfer-undoing';
const sourceAnnotation = 'longshore.dev/transfer-source';
const targetAnnotation = 'longshore.dev/transfer-target';
const approvalAnnotation = 'longshore.dev/transfer-approval';
const doneAnnotation = 'longshore.dev/transfer-done';

export interface VolumeRecord {
  transfer: TransferIdentity;
  source: Identity;
  target: Place;
  approval: string;
  /** Undefined if a grant replaced it. */
  approvalUid: Uid | undefined;
  originalPolicy: ReclaimPolicy;
  /** The target has the volume, and the volume its own policy: only the report is missing. */
  isDone: boolean;
}

export function recordOf(volume: Volume | undefined): VolumeRecord | undefined {
  const annotations = volume?.metadata.annotations ?? {};
  const transfer = parseIdentity(annotations[transferAnnotation]);
  const source = parseIdentity(annotations[sourceAnnotation]);
  const target = parsePlace(annotations[targetAnnotation]);
  const originalPolicy = annotations[policyAnnotation] as ReclaimPolicy | undefined;
  if (!transfer || !source || !target || !originalPolicy) return undefined;
  const isDone = annotations[doneAnnotation] === 'true';
  const [approval = '', approvalUid] = annotations[approvalAnnotation]?.split('/') ?? [];
  return { transfer, source, target, approval, approvalUid, originalPolicy, isDone };
}

/** The record of this request's own transfer. */
export function recordFor(request: TransferRequest, volume: Volume | undefined): VolumeRecord | undefined {
  const record = recordOf(volume);
  return record && sameIdentity(record.transfer, identityOf(request)) ? record : undefined;
}

/** Secures the volume and records the transfer in one patch: there is no moment with one but not the other. */
export function writeRecord(
  record: Omit<VolumeRecord, 'isDone'>,
  leftOver: Record<string, null | string> = {},
  home?: Namespace,
) {
  return {
    metadata: {
      annotations: {
        [transferAnnotation]: formatIdentity(record.transfer),
        [sourceAnnotation]: formatIdentity(record.source),
        [targetAnnotation]: formatPlace(record.target),
        [approvalAnnotation]: [record.approval, record.approvalUid].filter(Boolean).join('/'),
        [policyAnnotation]: record.originalPolicy,
        ...(home ? { [homeAnnotation]: formatHome(home) } : {}),
        ...leftOver,
      },
    },
    spec: { persistentVolumeReclaimPolicy: 'Retain' },
  };
}

/** Restores the volume's own policy, and records in the same patch that everything is done. */
export function markDone({ originalPolicy }: VolumeRecord): object {
  return {
    metadata: { annotations: { [doneAnnotation]: 'true' } },
    spec: { persistentVolumeReclaimPolicy: originalPolicy },
  };
}

const recordAnnotations = [
  transferAnnotation,
  sourceAnnotation,
  targetAnnotation,
  approvalAnnotation,
  policyAnnotation,
  doneAnnotation,
];
const noRecord = Object.fromEntries(recordAnnotations.map((annotation) => [annotation, null]));
export const removeRecord = { metadata: { annotations: { ...noRecord, [homeAnnotation]: null } } };

/**
 * Withdraws the record, in one patch with the mark that makes another one impossible and keeps the volume: there is no
 * moment in which it can be moved, or be deleted with its claim.
 */
export function withdrawRecord({ transfer, source, target, originalPolicy }: VolumeRecord): object {
  const kept = keepFor(source, originalPolicy);
  return {
    ...kept,
    metadata: {
      ...kept.metadata,
      annotations: { ...noRecord, ...markUndoing(transfer, target).metadata.annotations, ...kept.metadata.annotations },
    },
  };
}

/** The transfer of this volume that is being rolled back. */
export function undoingOf(volume: Volume | undefined): TransferIdentity | undefined {
  return parseIdentity(volume?.metadata.annotations?.[undoingAnnotation]);
}

export function isUndoing(volume: Volume | undefined, transfer: TransferIdentity): boolean {
  const undoing = undoingOf(volume);
  return undoing !== undefined && sameIdentity(undoing, transfer);
}

/** The place of its target, which nothing else may show once the source is released. */
export function undoneTarget(volume: Volume | undefined): Place | undefined {
  return undoingOf(volume) && parsePlace(volume?.metadata.annotations?.[targetAnnotation]);
}

export function markUndoing(transfer: TransferIdentity, target: Place | undefined) {
  const place = target ? { [targetAnnotation]: formatPlace(target) } : {};
  return { metadata: { annotations: { [undoingAnnotation]: formatIdentity(transfer), ...place } } };
}

export const clearUndoing = { metadata: { annotations: { [undoingAnnotation]: null, [targetAnnotation]: null } } };
