import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReclaimPolicy, Volume } from '../../lib/kubernetes/objects.ts';
import { provisionedClass } from '../../tools/csi-stand-in/objects.ts';
import { driver, type SnapshotCluster, volumeNamed } from './case-snapshots.ts';

interface FreeParts {
  policy: ReclaimPolicy;
  /** Somebody has taken its claim off it, which it was once made for. */
  wasProvisioned: boolean;
}

/** A volume without a claim, with something in it, and a class that nothing else is of. */
export async function makeFree(cluster: SnapshotCluster, { policy, wasProvisioned }: FreeParts) {
  const { client, standIn } = cluster.parts();
  const className = `free-${randomBytes(4).toString('hex')}`;
  await client.create(provisionedClass({ name: className, driver }));
  const annotations = { 'pv.kubernetes.io/provisioned-by': driver };
  const { apiVersion, kind } = volumeNamed('');
  const volume: Volume = {
    ...{ apiVersion, kind, metadata: { name: className, ...(wasProvisioned ? { annotations } : {}) } },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: policy,
      storageClassName: className,
      csi: { driver, volumeHandle: `volume-${className}` },
    },
  };
  mkdirSync(standIn.directoryOf(volume));
  writeFileSync(join(standIn.directoryOf(volume), 'file'), "somebody else's");
  return { className, volume };
}

export async function makeFreeNow(cluster: SnapshotCluster, parts: FreeParts) {
  const { client } = cluster.parts();
  const { className, volume } = await makeFree(cluster, parts);
  await client.create(volume);
  await client.until<Volume>(volume, ({ status }) => status?.phase === 'Available');
  return { className, volume };
}
