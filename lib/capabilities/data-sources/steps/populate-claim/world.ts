import type { Claim, Namespace, ReferenceGrant, StorageClass, Volume } from '../../../../kubernetes/objects.ts';
import type { Place } from '../../../../kubernetes/places.ts';
import type { World } from '../../../../reconcile/step.ts';
import type { Settings } from '../../../settings.ts';
import type { Copies } from '../../copies.ts';
import type { VolumeSnapshot, VolumeSnapshotContent, VolumeSnapshotLink } from '../../objects.ts';
import type { DataReason } from '../../reasons.ts';

/** Everything that was read to populate one claim. */
export interface PopulatingWorld extends World<keyof Copies | 'claim' | 'volume' | 'late', DataReason>, Copies {
  readonly claim?: Claim | undefined;
  readonly settings?: Settings | undefined;
  readonly link?: VolumeSnapshotLink | undefined;
  /** The snapshot that is wanted, and the grants of its namespace. */
  readonly wanted?: Place | undefined;
  readonly grants?: readonly ReferenceGrant[] | undefined;
  /** The cluster does not have the kind ReferenceGrant, so nobody can create one. */
  readonly areGrantsLacking?: boolean | undefined;
  /** The claim's namespace; the snapshot's, if it may be another one than was meant. */
  readonly namespace?: Namespace | undefined;
  readonly sourceNamespace?: Namespace | undefined;
  readonly snapshot?: VolumeSnapshot | undefined;
  readonly content?: VolumeSnapshotContent | undefined;
  readonly storageClass?: StorageClass | undefined;
  /** The prime claim's volume, and that of the claim itself. */
  readonly volume?: Volume | undefined;
  readonly claimVolume?: Volume | undefined;
  /** All volumes were searched for one that names the prime claim. */
  readonly areVolumesListed?: boolean | undefined;
  /** The provisioner's message about a prime claim that has waited for some time. */
  readonly trouble?: string | undefined;
  /** There was a prime claim at the time of the read. */
  readonly hadPrime?: boolean | undefined;
  /** The key named copies, whose claim may be gone. */
  readonly isLeftover?: true;
  /** A volume that was made for a prime claim too late. */
  readonly late?: Volume | undefined;
  readonly readAt: Date;
}
