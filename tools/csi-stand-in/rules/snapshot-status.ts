import { displayName } from '../../../lib/kubernetes/resources.ts';
import type { Content, Snapshot } from '../kinds.ts';
import { reporters } from '../names.ts';
import { changeStatus, noted, warned } from './actions.ts';
import { nothing, type Step, type World } from './rule.ts';

/** The status of a snapshot, which is derived from its content. */

const units = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Times on the wire have whole seconds. */
export function time(moment: Date): string {
  return moment.toISOString().replace(/\.\d+/, '');
}

export interface Failure {
  readonly reason: string;
  readonly message: string;
  /** True if the snapshot stays as ready as it was. */
  readonly isReadyStill?: boolean;
}

/** An error that is reported already is not reported again. */
export function failed(world: World, snapshot: Snapshot, { reason, message, isReadyStill }: Failure): Step {
  if (snapshot.status?.error?.message === message) return nothing;
  const ready = isReadyStill ? {} : { readyToUse: false };
  const status = { error: { message, time: time(world.now()) }, ...ready };
  return { actions: [changeStatus(snapshot, status), warned(snapshot, reporters.controller, reason, message)] };
}

export function followed(snapshot: Snapshot, content: Content): Step {
  const before = snapshot.status ?? {};
  const { readyToUse = false, creationTime, restoreSize, error } = content.status ?? {};
  const changed: Record<string, unknown> = {};
  if (!before.boundVolumeSnapshotContentName) changed.boundVolumeSnapshotContentName = content.metadata.name;
  if (!before.creationTime && creationTime) changed.creationTime = time(new Date(creationTime / 1e6));
  if (before.readyToUse !== readyToUse) changed.readyToUse = readyToUse;
  const isUnsized = before.restoreSize === undefined || (before.restoreSize === '0' && restoreSize !== 0);
  if (isUnsized && restoreSize !== undefined) changed.restoreSize = quantityOf(restoreSize);
  if (before.error?.message !== error?.message) changed.error = error ?? null;
  if (Object.keys(changed).length === 0) return nothing;
  const shown = displayName(snapshot.metadata);
  const events = [
    ...(changed.creationTime ? [said(snapshot, 'SnapshotCreated', `Snapshot ${shown} was cut`)] : []),
    ...(changed.readyToUse ? [said(snapshot, 'SnapshotReady', `Snapshot ${shown} can be restored`)] : []),
  ];
  return { actions: [changeStatus(snapshot, changed), ...events] };
}

function said(snapshot: Snapshot, reason: string, note: string) {
  return noted(snapshot, reporters.controller, reason, note);
}

/** As short as possible without losing a byte, such as 1Gi. */
export function quantityOf(bytes: number): string {
  let [amount, unit] = [bytes, 0];
  while (amount > 0 && amount % 1024 === 0 && unit < units.length - 1) [amount, unit] = [amount / 1024, unit + 1];
  return `${amount}${units[unit]}`;
}
