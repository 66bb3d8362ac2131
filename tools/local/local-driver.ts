import { join } from 'node:path';
import { resources } from '../../lib/kubernetes/resources.ts';
import type { ControlPlane } from '../control-plane/control-plane-options.ts';
import { unservedOf } from '../control-plane/manifests.ts';
import { applySnapshotDefinitions } from '../csi-stand-in/definitions.ts';
import { snapshotClassResource } from '../csi-stand-in/kinds.ts';
import { type CsiStandIn, startCsiStandIn } from '../csi-stand-in/stand-in.ts';
import { ClusterClient } from './cluster-client.ts';
import { serveGrants } from './grant-definition.ts';

export const driverName = 'directories.local';

/** The requirements of a claim across namespaces. Where no policy changes claims, the tour writes it in another way. */
const needed = [resources.snapshot, resources.snapshotContent, snapshotClassResource, resources.referenceGrant];

/** The kinds that a given cluster lacks; nothing is defined in it for a driver that was not requested. */
export interface Lacking {
  readonly lacking: readonly string[];
}

/** Defines the kinds of snapshots and grants in our own cluster, before the manifests that need them are applied. */
export async function defineSnapshots({ kubeconfigPath, managed }: ControlPlane): Promise<void> {
  if (!managed) return;
  await Promise.all([applySnapshotDefinitions(kubeconfigPath), serveGrants(new ClusterClient(kubeconfigPath), 'v1')]);
}

/** A driver with snapshots, whose volumes are directories in the folder. */
export async function startLocalDriver(
  { kubeconfigPath, managed }: ControlPlane,
  folder: string,
): Promise<CsiStandIn | Lacking> {
  const lacking = managed ? [] : await unservedOf(kubeconfigPath, needed);
  if (lacking.length > 0) return { lacking: lacking.map(({ apiVersion, kind }) => `${kind} of ${apiVersion}`) };
  return startCsiStandIn(kubeconfigPath, {
    drivers: [{ name: driverName }],
    folder: join(folder, 'csi'),
    defines: false,
  });
}
