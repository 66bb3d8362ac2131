import type { Claim } from '../../lib/kubernetes/objects.ts';
import { snapshotClass } from '../../tools/csi-stand-in/objects.ts';
import { ask, grantFor, makeSource, type Source, type Ways } from './case-snapshot-sources.ts';
import { copiesOf } from './case-snapshot-waits.ts';
import { driver, type SnapshotCluster } from './case-snapshots.ts';

/** A snapshot that the other namespace may have. */
export async function makeGranted(
  cluster: SnapshotCluster,
  parts: Parameters<typeof makeSource>[1] = {},
): Promise<Source> {
  const source = await makeSource(cluster, parts);
  await cluster.parts().client.create(grantFor(source));
  return source;
}

/** A claim whose prime claim waits for its volume, since the driver hangs. */
export async function begin(
  cluster: SnapshotCluster,
  special: { className?: string; way?: Ways } = {},
): Promise<{ source: Source; claim: Claim }> {
  const { client, standIn } = cluster.parts();
  const source = await makeGranted(cluster);
  standIn.hanging(driver, true);
  const claim = await ask(cluster, source, special);
  await client.until(copiesOf(claim).prime);
  return { source, claim };
}

/** The prime claim gets its volume while Longshore is not there, and then something happens. */
export async function provisionUnseen(
  cluster: SnapshotCluster,
  claim: Claim,
  act: () => Promise<unknown>,
): Promise<void> {
  const { client, standIn } = cluster.parts();
  await cluster.away(async () => {
    standIn.hanging(driver, false);
    await client.until<Claim>(copiesOf(claim).prime, ({ status }) => status?.phase === 'Bound');
    await act();
  });
}

/** A class of snapshots that are shown to nobody without a Secret, which is not there yet. */
export function classWithListSecret(of: string) {
  const parameters = {
    'csi.storage.k8s.io/snapshotter-list-secret-name': 'list',
    'csi.storage.k8s.io/snapshotter-list-secret-namespace': 'default',
  };
  return snapshotClass({ name: 'secret', driver: of, parameters });
}
