import type { VolumeSnapshotLink } from '../../lib/capabilities/data-sources/objects.ts';
import type { Claim, ReferenceGrant } from '../../lib/kubernetes/objects.ts';
import { groupOf, resources } from '../../lib/kubernetes/resources.ts';
import { limitedName } from '../objects/limited-name.ts';

export interface Restore {
  namespace: string;
  from: string;
  snapshot: string;
  toName: string;
  size: string;
  className?: string | undefined;
  accessModes: readonly string[];
  volumeMode?: string | undefined;
}

type Wish = Pick<Restore, 'namespace' | 'from' | 'snapshot'>;

const { snapshotLink, claim, snapshot: snapshots, referenceGrant } = resources;

/** One link for each snapshot: several claims may use it. Its name says which, as no namespace has a dot in its name. */
export function linkFor({ namespace, from, snapshot }: Wish): VolumeSnapshotLink {
  const { apiVersion } = snapshotLink;
  // Whoever names a namespace needs a grant, even for the own one.
  const source = from === namespace ? { name: snapshot } : { namespace: from, name: snapshot };
  const metadata = { namespace, name: limitedName(`${from}.${snapshot}`) };
  return { apiVersion, kind: 'VolumeSnapshotLink', metadata, spec: { source } };
}

/** The selector meets no volume: without it the cluster might bind the claim to any that fits. */
export function claimFor(restore: Restore): Claim {
  const { namespace, toName, size, className, accessModes, volumeMode } = restore;
  const spec = {
    accessModes: [...accessModes],
    resources: { requests: { storage: size } },
    ...(className === undefined ? {} : { storageClassName: className }),
    ...(volumeMode === undefined ? {} : { volumeMode }),
    dataSourceRef: { apiGroup: groupOf(snapshotLink), kind: snapshotLink.kind, name: linkFor(restore).metadata.name },
    selector: { matchLabels: { 'longshore.dev/volume': 'populated' } },
  };
  return { apiVersion: claim.apiVersion, kind: claim.kind, metadata: { namespace, name: toName }, spec };
}

/** What the owner of the snapshot has to apply: it is for this snapshot alone. */
export function grantFor({ namespace, from, snapshot }: Wish, apiVersion: string): ReferenceGrant {
  return {
    apiVersion,
    kind: referenceGrant.kind,
    metadata: { namespace: from, name: limitedName(`${namespace}.${snapshot}`) },
    spec: {
      from: [{ group: groupOf(snapshotLink), kind: snapshotLink.kind, namespace }],
      to: [{ group: groupOf(snapshots), kind: snapshots.kind, name: snapshot }],
    },
  };
}
