import type { Claim, StorageClass, Volume } from '../../kubernetes/objects.ts';
import { classOf } from '../../kubernetes/storage-class.ts';
import type { Measurement } from '../../runtime/metrics.ts';
import { sourceOf } from './reference.ts';

/** The objects that prove that a claim's class exists: the class itself, or the prime claim or volume made from it. */
export interface Found {
  readonly storageClass?: StorageClass | undefined;
  readonly prime?: Claim | undefined;
  readonly volume?: Volume | undefined;
}

/** The specification's names; by storage class, and within it by the kind of source. */
export function measuredSuccess(claim: Claim, found: Found): Measurement {
  return { name: 'cross_namespace_persistentvolumeclaim_provision_total', ...countedBy(claim, found) };
}

export function measuredFailure(claim: Claim, found: Found): Measurement {
  return { name: 'cross_namespace_persistentvolumeclaim_provision_failed_total', ...countedBy(claim, found) };
}

function countedBy(claim: Claim, found: Found): Omit<Measurement, 'name'> {
  const SourceKind = sourceOf(claim)?.type === 'link' ? 'VolumeSnapshotLink' : 'VolumeSnapshot';
  return { unit: 'Count', value: 1, dimensions: { StorageClass: classNameOf(claim, found), SourceKind } };
}

/** A claim may name any class, and each name would become a separate metric. */
function classNameOf(claim: Claim, { storageClass, prime, volume }: Found): string {
  if (!classOf(claim)) return 'none';
  return storageClass?.metadata.name || prime?.spec.storageClassName || volume?.spec.storageClassName || 'unknown';
}
