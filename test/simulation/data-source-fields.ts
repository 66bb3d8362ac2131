import type { Claim, ClusterObject } from '../../lib/kubernetes/objects.ts';

/** The server writes a source of a kind that it knows into both fields of a claim, whichever of them was given. */
export function withBothSources<T extends ClusterObject>(body: T): T {
  const { spec } = body as ClusterObject as Claim;
  const { dataSource, dataSourceRef } = spec ?? {};
  const source = dataSource ?? dataSourceRef;
  const isKnown = source?.kind === 'PersistentVolumeClaim' || source?.kind === 'VolumeSnapshot';
  if (!isKnown || dataSourceRef?.namespace) return body;
  return { ...body, spec: { ...spec, dataSource: source, dataSourceRef: source } };
}
