import type { Claim, Namespace, ReferenceGrant, StorageClass, Volume } from '../../../../kubernetes/objects.ts';
import type { Place } from '../../../../kubernetes/places.ts';
import type { World } from '../../../../reconcile/step.ts';
import type { Settings } from '../../../settings.ts';
import type { Copies } from '../../copies.ts';
import type { VolumeSnapshot, VolumeSnapshotContent, VolumeSnapshotLink } from '../../objects.ts';
import type { DataReason } from '../../reasons.ts';

/** Everything that the populating of one claim concerns, as it was read. */
export interface PopulatingWorld extends World<keyof Copies | 'claim' | 'volume' | 'late', DataReason>, Copies {
  readonly claim?: Claim | undefined;
  readonly settings?: Settings | undefined;
  readonly link?: VolumeSnapshotLink | undefined;
  /** The snapshot that is wanted, and the grants of its namespace. */
  readonly wanted?: Place | undefined;
  readonly grants?: readonly ReferenceGrant[] | undefined;
  /** The namespace of the claim, and that of the snapshot where it may be another one than was meant. */
  readonly namespace?: Namespace | undefined;
  readonly sourceNamespace?: Namespace | undefined;
  readonly snapshot?: VolumeSnapshot | undefined;
  readonly content?: VolumeSnapshotContent | undefined;
  readonly storageClass?: StorageClass | undefined;
  /** The prime claim's volume, and that of the claim itself. */
  readonly volume?: Volume | undefined;
  readonly claimVolume?: Volume | undefined;
  /** All volumes were looked through for one that names the prime claim. */
  readonly areVolumesListed?: boolean | undefined;
  /** What its provisioner says of a prime claim that has waited for some time. */
  readonly trouble?: string | undefined;
  /** There was a prime claim when this was read. */
  readonly hadPrime?: boolean | undefined;
  /** The key named copies, whose claim may be gone. */
  readonly isLeftover?: true;
  /** A volume that was made for a prime claim too late. */
  readonly late?: Volume | undefined;
  readonly readAt: Date;
}
