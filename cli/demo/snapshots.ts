import type { VolumeSnapshot } from '../../lib/capabilities/data-sources/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import type { Progress } from '../objects/follow.ts';
import { read } from '../objects/objects.ts';
import { dataProgress, restoreIn } from '../restore/restore.ts';
import { grantFor } from '../restore/restore-objects.ts';
import { describeVolume, nameNode, volumeOf } from './claims.ts';
import { claimName, type Scene } from './scene.ts';
import type { SnapshotUse } from './uses.ts';

const { snapshot: snapshots, referenceGrant, claim: claims } = resources;
const name = 'nightly';
const copy = 'copy';

/** A snapshot of the claim is restored in the namespace in which the claim is not. */
export async function showSnapshot(scene: Scene, use: SnapshotUse, isBack: boolean): Promise<void> {
  const { plan } = scene;
  const [owner, other] = isBack ? [scene.first, scene.second] : [scene.second, scene.first];
  scene.chapter('A snapshot is restored in another namespace');
  const snapshot = await scene.applies(snapshots, snapshotIn(owner.namespace, use.className));
  let size = scene.size;
  const look = async () => {
    const found = await read(owner, snapshots, owner.namespace, name);
    size = found?.status?.restoreSize ?? size;
    return snapshotProgress(found, snapshot.metadata.uid);
  };
  await scene.until(`snapshot ${owner.namespace}/${name} is ready`, look);

  const { className } = plan.storage;
  const wanted = { from: owner.namespace, snapshot: name, toName: copy, size, className };
  const restore = [
    ...['longshore', 'restore', name, '--from', owner.namespace, '--to-name', copy],
    ...['--size', size, '--class', className, '-n', other.namespace],
  ];
  const whole = { ...wanted, namespace: other.namespace, accessModes: ['ReadWriteOnce'] };
  const options = { from: owner.namespace, toName: copy, wait: false };
  await scene.types([...restore, '--no-wait'], () => restoreIn(other, whole, options));
  await nameNode(scene, other, copy);
  await scene.applies(referenceGrant, grantFor(whole, use.grantVersion), true);
  const restored = await read(other, claims, other.namespace, copy);
  const what = `claim ${other.namespace}/${copy}`;
  await scene.until(`${what} has the data of the snapshot`, async () =>
    dataProgress(await read(other, claims, other.namespace, copy), what, restored?.metadata.uid),
  );
  scene.say(`\n${describeVolume(other, copy, await volumeOf(other, copy))}`);
}

function snapshotIn(namespace: string, volumeSnapshotClassName: string): VolumeSnapshot {
  const { apiVersion } = snapshots;
  const spec = { source: { persistentVolumeClaimName: claimName }, volumeSnapshotClassName };
  return { apiVersion, kind: 'VolumeSnapshot', metadata: { namespace, name }, spec };
}

/** The snapshot controller tries again after an error. */
function snapshotProgress(found: VolumeSnapshot | undefined, uid: string | undefined): Progress {
  if (found?.metadata.uid !== uid)
    return { stage: 'gone', lines: [], problem: `snapshot ${name} does not exist any more` };
  const { readyToUse, error } = found?.status ?? {};
  return { stage: 'taking the snapshot', lines: error?.message ? [error.message] : [], isOver: readyToUse === true };
}
