import { resources } from '../../lib/kubernetes/resources.ts';
import { type Content, contentResource, type Snapshot } from './kinds.ts';

/** The objects that an administrator writes for an existing snapshot on the disk. */

interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** A snapshot for an existing content. */
export function snapshotFrom(content: Content): Snapshot {
  const { apiVersion, kind } = resources.snapshot;
  const { namespace = '', name = '' } = content.spec.volumeSnapshotRef;
  const { volumeSnapshotClassName: className } = content.spec;
  return {
    apiVersion,
    kind,
    metadata: { namespace, name },
    spec: {
      source: { volumeSnapshotContentName: content.metadata.name },
      ...(className ? { volumeSnapshotClassName: className } : {}),
    },
  };
}

export interface ContentParts {
  readonly name: string;
  readonly driver: string;
  readonly handle: string;
  /** The snapshot that it is reserved for. */
  readonly snapshot: Place;
  readonly policy?: 'Delete' | 'Retain';
  readonly className?: string;
  readonly mode?: string;
}

/** A content for an existing snapshot on the disk. Its author normally wants to keep that. */
export function staticContent({
  name,
  driver,
  handle,
  snapshot,
  policy = 'Retain',
  className,
  mode,
}: ContentParts): Content {
  const { apiVersion, kind } = contentResource;
  return {
    apiVersion,
    kind,
    metadata: { name },
    spec: {
      deletionPolicy: policy,
      driver,
      source: { snapshotHandle: handle },
      volumeSnapshotRef: { apiVersion: resources.snapshot.apiVersion, kind: resources.snapshot.kind, ...snapshot },
      ...(className ? { volumeSnapshotClassName: className } : {}),
      ...(mode ? { sourceVolumeMode: mode } : {}),
    },
  };
}
