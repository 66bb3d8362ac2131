import type { Claim } from '../cluster/objects.ts';
import type { Measurement } from '../metrics.ts';
import { sourceOf } from './reference.ts';

/** The specification's names; by storage class, and within it by the kind of source that was asked for. */
export function measuredSuccess(claim: Claim): Measurement {
  return { name: 'cross_namespace_persistentvolumeclaim_provision_total', ...countedBy(claim) };
}

export function measuredFailure(claim: Claim): Measurement {
  return { name: 'cross_namespace_persistentvolumeclaim_provision_failed_total', ...countedBy(claim) };
}

function countedBy(claim: Claim): Omit<Measurement, 'name'> {
  const SourceKind = sourceOf(claim)?.type === 'link' ? 'VolumeSnapshotLink' : 'VolumeSnapshot';
  const dimensions = { StorageClass: claim.spec.storageClassName || 'none', SourceKind };
  return { unit: 'Count', value: 1, dimensions };
}
