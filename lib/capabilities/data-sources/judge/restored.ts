import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { createAnother } from '../advice.ts';
import { belongsTo, driverOf, isLater, provisionerOf } from '../origin.ts';
import type { Provisioned } from '../reference.ts';
import { arrived, type Evidence, failed, type Judgement, kept, unknown } from './judgement.ts';
import { nameOfSource } from './source-names.ts';

/**
 * Judges a volume that was made for this very claim: can its driver have filled it from the source? A driver restores
 * only its own snapshots and clones only its own volumes; if it cannot, its provisioner makes no volume at all. A
 * provisioner without support for data sources makes an empty one.
 */
export function judgeRestored(claim: Claim, source: Provisioned, volume: Volume, evidence: Evidence): Judgement {
  const maker = makerOf(volume);
  const of = sourceDriverOf(source, volume, evidence);
  if (maker === undefined || (of && of.driver !== maker)) return ignored(source, volume, of);
  const name = nameOfSource(source);
  if (source.namespace !== undefined) {
    const message = `volume ${volume.metadata.name} was created by ${maker}, and only that provisioner knows whether its gate CrossNamespaceVolumeDataSource is on: without it the volume is empty; check what is in the volume, or use a VolumeSnapshotLink (longshore explain LeftToProvisioner says more)`;
    return unknown({ reason: 'LeftToProvisioner', message });
  }
  const message = `volume ${volume.metadata.name} was created from ${name} by ${maker}`;
  const here = arrived({ reason: source.type === 'snapshot' ? 'Restored' : 'Cloned', message });
  return of ? here : kept(claim, here, gone(source, volume, maker));
}

/** The driver that made a volume itself; another provisioner may make empty volumes of that driver. */
export function makerOf(volume: Volume): string | undefined {
  const driver = driverOf(volume);
  return driver === provisionerOf(volume) ? driver : undefined;
}

/** The driver of the source; undefined if the source claim's volume has no driver. */
interface OfSource {
  driver: string | undefined;
}

/** Undefined if there is no source to compare with any more. */
function sourceDriverOf({ type }: Provisioned, volume: Volume, evidence: Evidence): OfSource | undefined {
  return type === 'snapshot' ? snapshotDriverOf(volume, evidence) : claimDriverOf(volume, evidence);
}

/** A snapshot taken after the volume was made only has the name of the one that was restored. */
function snapshotDriverOf(volume: Volume, { snapshot, content }: Evidence): OfSource | undefined {
  if (!snapshot || !content || isLater(snapshot, volume)) return undefined;
  // Anyone may write a name into the status: the content belongs to the snapshot only if it says so itself.
  const isBound =
    snapshot.status?.boundVolumeSnapshotContentName === content.metadata.name &&
    content.spec.volumeSnapshotRef.uid !== undefined &&
    content.spec.volumeSnapshotRef.uid === snapshot.metadata.uid;
  return isBound ? { driver: content.spec.driver } : undefined;
}

function claimDriverOf(volume: Volume, { sourceClaim, sourceVolume }: Evidence): OfSource | undefined {
  if (!sourceClaim || isLater(sourceClaim, volume) || !belongsTo(sourceVolume, sourceClaim)) return undefined;
  return { driver: driverOf(sourceVolume) };
}

function ignored(source: Provisioned, volume: Volume, of: OfSource | undefined): Judgement {
  const name = nameOfSource(source);
  const message = `volume ${volume.metadata.name} was created by ${provisionerOf(volume)}, which cannot fill it from ${name}: it began empty or with other data; do not use it; ${remedy(name, of)}`;
  return failed({ reason: 'IgnoredByProvisioner', message });
}

function remedy(name: string, of: OfSource | undefined): string {
  if (of && !of.driver)
    return `the volume of ${name} has no CSI driver, so it cannot be cloned: copy the data with a pod`;
  const driver = of?.driver ?? `the CSI driver of ${name}`;
  return createAnother(`with a storage class whose provisioner is ${driver}`);
}

function gone(source: Provisioned, volume: Volume, maker: string): Judgement {
  const message = `volume ${volume.metadata.name} was created by ${maker}, but ${nameOfSource(source)} no longer exists to compare it with: check what is in the volume`;
  return unknown({ reason: 'SourceGone', message });
}
