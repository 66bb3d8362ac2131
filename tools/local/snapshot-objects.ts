import type { VolumeSnapshotLink } from '../../lib/capabilities/data-sources/objects.ts';
import type { Claim, ReferenceGrant } from '../../lib/kubernetes/objects.ts';
import { groupOf, resources } from '../../lib/kubernetes/resources.ts';

interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** A link to a snapshot elsewhere; without a namespace, to one in its own. */
export function link(place: Place, source: { namespace?: string; name: string }): VolumeSnapshotLink {
  const { apiVersion, kind } = resources.snapshotLink;
  return { apiVersion, kind, metadata: { ...place }, spec: { source } };
}

/** Lets claims and links of one namespace refer to the snapshots of another, or to one of them. */
export function snapshotGrant(place: Place, from: string, snapshot?: string): ReferenceGrant {
  const { apiVersion, kind } = resources.referenceGrant;
  const kinds = [resources.snapshotLink, resources.claim];
  return {
    apiVersion,
    kind,
    metadata: { ...place },
    spec: {
      from: kinds.map((each) => ({ group: groupOf(each), kind: each.kind, namespace: from })),
      to: [
        { group: groupOf(resources.snapshot), kind: resources.snapshot.kind, ...(snapshot ? { name: snapshot } : {}) },
      ],
    },
  };
}

export interface WantingParts extends Place {
  readonly className: string;
  readonly storage?: string;
}

/** A claim for the data of a snapshot in another namespace, in the standard fields. */
export function claimAcross(snapshot: Place, parts: WantingParts): Claim {
  const { kind } = resources.snapshot;
  return claimFor({ apiGroup: groupOf(resources.snapshot), kind, ...snapshot }, parts);
}

/** The same as users write it where the server does not keep the standard fields. */
export function claimByReference({ namespace, name }: Place, parts: WantingParts): Claim {
  const reference = { apiGroup: 'longshore.dev', kind: 'VolumeSnapshotReference', name: `${namespace}.${name}` };
  const claim = claimFor(reference, parts);
  const selector = { matchLabels: { 'longshore.dev/volume': 'populated' } };
  return { ...claim, spec: { ...claim.spec, ...{ selector } } };
}

/** A claim for the data that a link in its own namespace refers to. */
export function claimByLink(name: string, parts: WantingParts): Claim {
  const { kind } = resources.snapshotLink;
  return claimFor({ apiGroup: groupOf(resources.snapshotLink), kind, name }, parts);
}

function claimFor(dataSourceRef: NonNullable<Claim['spec']['dataSourceRef']>, parts: WantingParts): Claim {
  const { namespace, name, className, storage = '1Gi' } = parts;
  const { apiVersion, kind } = resources.claim;
  return {
    apiVersion,
    kind,
    metadata: { namespace, name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage } },
      storageClassName: className,
      dataSourceRef,
    },
  };
}
