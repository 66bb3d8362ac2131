import {
  claimAnnotation,
  copyNameOf,
  snapshotAnnotation,
  systemNamespace,
} from '../../capabilities/data-sources/names.ts';
import type {
  VolumeSnapshot,
  VolumeSnapshotContent,
  VolumeSnapshotLink,
} from '../../capabilities/data-sources/objects.ts';
import { isOurs, type SourceReference, sourceOf } from '../../capabilities/data-sources/reference.ts';
import {
  acceptedFrom,
  type NamedClaim,
  offeredTo,
  volumeFor,
} from '../../capabilities/transfers/by-annotation/claim-marks.ts';
import { placesOn } from '../../capabilities/transfers/by-annotation/volume-marks.ts';
import {
  fencedFor,
  transferOf,
  transferredBy,
  transferredFrom,
} from '../../capabilities/transfers/by-request/claim-marks.ts';
import { recordOf, undoingOf } from '../../capabilities/transfers/by-request/volume-marks.ts';
import type { Claim, Pod, Volume } from '../../kubernetes/objects.ts';
import { type Place, parseIdentity } from '../../kubernetes/places.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { resources } from '../../kubernetes/resources.ts';
import type { Related } from './relation.ts';

export function ofClaim(claim: Claim): Related[] {
  return [
    [resources.volume, undefined, volumeFor(claim)],
    ...[transferOf(claim), transferredBy(claim)].flatMap((place) => at(resources.transferRequest, place)),
    ...[fencedFor(claim), transferredFrom(claim)].flatMap((place) => at(resources.claim, place)),
    ...[offeredTo(claim), acceptedFrom(claim)].flatMap((named) => at(resources.claim, placeIn(named))),
    ...ofSource(claim, sourceOf(claim)),
    ...copySourcesOf(claim),
  ];
}

export function ofVolume(volume: Volume): Related[] {
  const { claimRef } = volume.spec;
  const record = recordOf(volume);
  return [
    [resources.claim, claimRef?.namespace, claimRef?.name],
    ...[record?.transfer, undoingOf(volume)].flatMap((place) => at(resources.transferRequest, place)),
    [resources.transferApproval, record?.source.namespace, record?.approval],
    ...[record?.source, record?.target, ...placesOn(volume)].flatMap((place) => at(resources.claim, place)),
    ...copySourcesOf(volume),
  ];
}

export function ofPod({ metadata, spec }: Pod): Related[] {
  return (spec?.volumes ?? []).map(({ persistentVolumeClaim }) => [
    resources.claim,
    metadata.namespace,
    persistentVolumeClaim?.claimName,
  ]);
}

export function ofSnapshot(snapshot: VolumeSnapshot): Related[] {
  const { metadata, spec, status } = snapshot;
  const content = status?.boundVolumeSnapshotContentName ?? spec.source.volumeSnapshotContentName;
  return [
    [resources.claim, metadata.namespace, spec.source.persistentVolumeClaimName],
    [resources.snapshotContent, undefined, content],
    ...copySourcesOf(snapshot),
  ];
}

export function ofSnapshotContent(content: VolumeSnapshotContent): Related[] {
  const { namespace, name } = content.spec.volumeSnapshotRef;
  return [[resources.snapshot, namespace, name], ...copySourcesOf(content)];
}

export function ofSnapshotLink({ metadata, spec: { source } }: VolumeSnapshotLink): Related[] {
  return [[resources.snapshot, source.namespace ?? metadata.namespace, source.name]];
}

/** The source of a claim's data, and the copies by which the claim gets it, where Longshore makes them. */
function ofSource(claim: Claim, source: SourceReference | undefined): Related[] {
  const { namespace } = claim.metadata;
  const copy = copyNameOf(claim);
  const copies: Related[] = isOurs(source)
    ? [
        [resources.claim, systemNamespace, copy],
        [resources.snapshot, systemNamespace, copy],
        [resources.snapshotContent, undefined, copy],
      ]
    : [];
  switch (source?.type) {
    case 'link':
      return [[resources.snapshotLink, namespace, source.name], ...copies];
    case 'reference':
      return [[resources.snapshot, source.namespace, source.name], ...copies];
    case 'snapshot':
      return [[resources.snapshot, namespace, source.name]];
    case 'claim':
      return [[resources.claim, namespace, source.name]];
    default:
      return copies;
  }
}

/** The claim that a copy is for, and the snapshot that it is of, according to its annotations. */
function copySourcesOf({ metadata: { annotations = {} } }: Pick<Claim, 'metadata'>): Related[] {
  return [
    ...at(resources.claim, parseIdentity(annotations[claimAnnotation])),
    ...at(resources.snapshot, parseIdentity(annotations[snapshotAnnotation])),
  ];
}

function at(resource: Resource, place: Place | undefined): Related[] {
  return place ? [[resource, place.namespace, place.name]] : [];
}

function placeIn(named: NamedClaim | undefined): Place | undefined {
  return named && 'place' in named ? named.place : undefined;
}
