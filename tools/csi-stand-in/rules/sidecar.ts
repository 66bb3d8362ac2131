import { type Content, snapshotClassResource, type VolumeSnapshotClass } from '../kinds.ts';
import { annotations, finalizers, reporters } from '../names.ts';
import { annotated, changeStatus, holds, letGo, onDisk, warned } from './actions.ts';
import { type Driver, nothing, type Step, type World } from './rule.ts';
import { isThere, listSecretOf } from './secrets.ts';
import { time } from './snapshot-status.ts';

/** The rule of a driver's snapshotter sidecar for a content of that driver. */
export function tendContent(driver: Driver, world: World, content: Content): Step {
  if (content.spec.driver !== driver.options.name) return nothing;
  if (isToGo(content)) return end(driver, world, content);
  const isBeingCreated = annotations.beingCreated in (content.metadata.annotations ?? {});
  if (content.status?.readyToUse) {
    return isBeingCreated ? { actions: [annotated(content, annotations.beingCreated, null)] } : nothing;
  }
  return content.spec.source.snapshotHandle === undefined ? cut(driver, world, content) : look(driver, world, content);
}

/** A content is only deleted with its snapshot, unless it never had one or its snapshot is being cut. */
function isToGo({ metadata, spec }: Content): boolean {
  if (!metadata.deletionTimestamp) return false;
  if (spec.source.snapshotHandle !== undefined && !spec.volumeSnapshotRef.uid) return true;
  const marks = metadata.annotations ?? {};
  return !(annotations.beingCreated in marks) && annotations.beingDeleted in marks;
}

function end(driver: Driver, world: World, content: Content): Step {
  const handle = content.status?.snapshotHandle;
  if (content.spec.deletionPolicy === 'Delete' && handle !== undefined) {
    if (lacksSecret(world, content)) {
      const note = 'The snapshot cannot be deleted: the Secret for that is not there';
      return { actions: [warned(content, reporters.sidecar, 'SnapshotDeleteError', note)], again: true };
    }
    const gone = { snapshotHandle: null, readyToUse: null, creationTime: null, restoreSize: null };
    const wiped = onDisk(driver.options.name, (disk) => disk.deleteSnapshot(handle));
    return { actions: [wiped, changeStatus(content, gone)] };
  }
  return holds(content, finalizers.content) ? { actions: [letGo(content, finalizers.content)] } : nothing;
}

function cut(driver: Driver, world: World, content: Content): Step {
  const { source, volumeSnapshotClassName: className, volumeSnapshotRef } = content.spec;
  const volume = source.volumeHandle ?? '';
  if (className === undefined || !classNamed(world, className)) {
    return failed(
      world,
      content,
      'SnapshotCreationFailed',
      `The snapshot is not taken without its class ${className ?? ''}`,
    );
  }
  if (lacksSecret(world, content)) {
    return failed(world, content, 'SnapshotCreationFailed', 'The snapshot is not taken without its Secret');
  }
  if (!(annotations.beingCreated in (content.metadata.annotations ?? {}))) {
    return { actions: [annotated(content, annotations.beingCreated, 'yes')] };
  }
  if (!driver.disk.hasVolume(volume)) {
    return failed(world, content, 'SnapshotCreationFailed', `Volume ${volume} is not on the disk`);
  }
  const handle = `snapshot-${volumeSnapshotRef.uid}`;
  const { name } = driver.options;
  if (!driver.disk.hasSnapshot(handle)) {
    return { actions: [onDisk(name, (disk) => disk.createSnapshot(handle, volume))] };
  }
  return report(driver, world, content, handle, driver.disk.sizeOf(handle));
}

/** The administrator's handle in a static content is accepted unchecked, if the driver does not list snapshots. */
function look(driver: Driver, world: World, content: Content): Step {
  const handle = content.spec.source.snapshotHandle ?? '';
  const refuse = (why: string) => {
    return failed(
      world,
      content,
      'SnapshotContentCheckandUpdateFailed',
      `The status of the snapshot is not known: ${why}`,
    );
  };
  const secret = listSecretOf(world, content, (name) => classNamed(world, name));
  if ('refused' in secret) return refuse(secret.refused);
  const { listsSnapshots = true, demandsListSecret = false, unknownSize } = driver.options;
  if (!listsSnapshots) return report(driver, world, content, handle, unknownSize === 'zero' ? 0 : undefined);
  if (demandsListSecret && !secret.isGiven) return refuse('the driver demands a Secret');
  if (!driver.disk.hasSnapshot(handle)) return refuse(`snapshot ${handle} is not on the disk`);
  return report(driver, world, content, handle, driver.disk.sizeOf(handle));
}

function report(driver: Driver, world: World, content: Content, handle: string, restoreSize: number | undefined): Step {
  const { status = {} } = content;
  const readyToUse = !driver.uploading;
  const isSaid = status.snapshotHandle === handle && status.readyToUse === readyToUse;
  if (isSaid) return { actions: [], again: !readyToUse };
  const changed = {
    snapshotHandle: handle,
    readyToUse,
    creationTime: status.creationTime ?? world.now().getTime() * 1e6,
    ...(restoreSize === undefined ? {} : { restoreSize }),
    ...(status.error && readyToUse ? { error: null } : {}),
  };
  return { actions: [changeStatus(content, changed)] };
}

function failed(world: World, content: Content, reason: string, message: string): Step {
  if (content.status?.error?.message === message) return { actions: [], again: true };
  const status = { readyToUse: false, error: { message, time: time(world.now()) } };
  return { actions: [changeStatus(content, status), warned(content, reporters.sidecar, reason, message)], again: true };
}

function classNamed(world: World, name: string): VolumeSnapshotClass | undefined {
  return world.get(snapshotClassResource, undefined, name);
}

/** The Secret of its class was recorded on the content when that was created. */
function lacksSecret(world: World, { metadata }: Content): boolean {
  const name = metadata.annotations?.[annotations.secretName];
  const namespace = metadata.annotations?.[annotations.secretNamespace];
  if (name === undefined || namespace === undefined) return false;
  return !isThere(world, { name, namespace });
}
