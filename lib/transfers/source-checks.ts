import type { Claim, TransferRequest, Volume } from '../cluster/objects.ts';
import { displayName } from '../cluster/resources.ts';
import { fenceOf, identityOf, recordOf, sameTransfer, undoingOf } from './marks.ts';
import type { Blocker } from './status.ts';
import { placeOf, type TransferWorld } from './world.ts';

const finalizersOfWorkInProgress: Record<string, string> = {
  'provisioner.storage.kubernetes.io/cloning-protection': 'a clone of it is being made',
  'snapshot.storage.kubernetes.io/pvc-as-source-protection': 'a snapshot of it is being taken',
};

/** What keeps the source claim from being moved, or undefined when nothing does. Nothing has been touched yet. */
export function sourceBlocker(request: TransferRequest, world: TransferWorld): Blocker | undefined {
  const { source, volume } = world;
  if (!source) {
    const { namespace, name } = request.spec.source;
    return wait('SourceMissing', `there is no claim ${namespace}/${name}: create it, or delete this request`);
  }
  return claimBlocker(request, source) ?? volumeBlocker(request, source, volume);
}

function claimBlocker(request: TransferRequest, source: Claim): Blocker | undefined {
  const name = displayName(placeOf(source));
  const fence = fenceOf(source);
  if (fence && !sameTransfer(fence, identityOf(request))) {
    return wait('SourceBusy', `claim ${name} is being moved by request ${displayName(fence)}`);
  }
  // A fenced claim that its user deletes meanwhile is held by the fence, and moves all the same.
  if (source.metadata.deletionTimestamp && !fence) {
    return wait('SourceDeleting', `claim ${name} is being deleted by its user and cannot be moved any more`);
  }
  if (source.status?.phase === 'Lost') {
    return reject('SourceLost', `claim ${name} has lost its volume: there is nothing to move`);
  }
  if (source.status?.phase !== 'Bound' || !source.spec.volumeName) {
    return wait('SourceNotBound', `claim ${name} is not bound to a volume yet; the transfer goes on when it is`);
  }
  const work = source.metadata.finalizers?.map((finalizer) => finalizersOfWorkInProgress[finalizer]).find(Boolean);
  return work ? wait('SourceBusy', `claim ${name} cannot be moved now because ${work}`) : undefined;
}

function volumeBlocker(request: TransferRequest, source: Claim, volume: Volume | undefined): Blocker | undefined {
  const name = source.spec.volumeName;
  if (!volume) return wait('VolumeMissing', `volume ${name} of the source claim does not exist`);
  if (volume.spec.claimRef?.uid !== source.metadata.uid) {
    return wait('VolumeNotBound', `volume ${name} is not bound to claim ${displayName(placeOf(source))}`);
  }
  if (volume.metadata.deletionTimestamp) {
    return reject('VolumeDeleting', `volume ${name} is being deleted and goes when its claim goes: it cannot be moved`);
  }
  if (undoingOf(volume)) return wait('RollingBack', `an earlier transfer of volume ${name} is being rolled back`);
  const record = recordOf(volume);
  if (record && !sameTransfer(record.transfer, identityOf(request))) {
    return wait('VolumeBusy', `volume ${name} is being moved by request ${displayName(record.transfer)}`);
  }
  if (request.metadata.namespace !== source.metadata.namespace && hasSecretsOf(source.metadata.namespace, volume)) {
    return reject(
      'SecretsInSourceNamespace',
      `volume ${name} is used with Secrets in namespace ${source.metadata.namespace}, which cannot be changed on a volume: copy the data instead`,
    );
  }
  return undefined;
}

/** A volume's secret references cannot be changed; after a move they would still point into the old namespace. */
function hasSecretsOf(namespace: string | undefined, volume: Volume): boolean {
  return Object.entries(volume.spec.csi ?? {}).some(
    ([field, value]) =>
      field.endsWith('SecretRef') && (value as { namespace?: string } | null)?.namespace === namespace,
  );
}

function wait(reason: string, message: string): Blocker {
  return { stage: 'SourceReady', verdict: 'wait', reason, message };
}

function reject(reason: string, message: string): Blocker {
  return { stage: 'SourceReady', verdict: 'reject', reason, message };
}
