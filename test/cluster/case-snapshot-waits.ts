import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { finalizer } from '../../lib/capabilities/data-sources/names.ts';
import type { Claim, ClusterObject, Condition, Volume } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { claimFrom } from '../../tools/csi-stand-in/objects.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { until as comesTrue } from '../support/patience.ts';
import { bytesIn, type Source } from './case-snapshot-sources.ts';
import { driver, type SnapshotCluster } from './case-snapshots.ts';

const systemNamespace = 'longshore-system';

export function dataPopulated({ status }: Claim): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === 'DataPopulated');
}

/** Waits until a claim says this of its data, and answers all that it says. */
export async function untilSaid(client: ClusterClient, claim: Claim, reason: string): Promise<Condition> {
  const found = await client.until<Claim>(claim, (each) => dataPopulated(each)?.reason === reason);
  return dataPopulated(found) as Condition;
}

/** The three copies for a claim, which may be there or not. */
export function copiesOf(claim: Claim) {
  const name = `populate-${claim.metadata.uid}`;
  const at = ({ apiVersion, kind }: { apiVersion: string; kind: string }, namespace?: string) =>
    ({ apiVersion, kind, metadata: { name, ...(namespace ? { namespace } : {}) } }) as ClusterObject;
  return {
    prime: at(resources.claim, systemNamespace) as Claim,
    snapshot: at(resources.snapshot, systemNamespace),
    content: at(resources.snapshotContent),
  };
}

/** Nothing is, or was ever, made for the claim, and it can be deleted without anybody's leave. */
export async function expectNothingMade({ parts, log }: SnapshotCluster, claim: Claim): Promise<void> {
  const { client } = parts();
  for (const copy of Object.values(copiesOf(claim))) expect(await client.get(copy)).toBeUndefined();
  const found = await client.until<Claim>(claim);
  expect(found.metadata.finalizers ?? []).not.toContain(finalizer);
  expect(found.spec.volumeName).toBeUndefined();
  expect(log().filter((line) => line.includes(copiesOf(claim).prime.metadata.name))).toEqual([]);
}

/** The claim has the snapshot's bytes in a volume of its own, says so, and nothing else is left of the work. */
export async function expectRestored(cluster: SnapshotCluster, source: Source, claim: Claim): Promise<void> {
  const { client } = cluster.parts();
  const said = await untilSaid(client, claim, 'Populated');
  expect(said.status).toBe('True');
  expect(await bytesIn(cluster, claim)).toEqual(source.bytes);
  await client.until<Claim>(claim, ({ metadata }) => !metadata.finalizers?.includes(finalizer));
  await untilClean(cluster, claim);
}

/** No prime claim, snapshot, content, volume or directory is left of the work for a claim. */
export async function untilClean({ parts }: SnapshotCluster, claim: Claim): Promise<void> {
  const { client, admin, standIn } = parts();
  for (const copy of Object.values(copiesOf(claim))) await client.untilGone(copy);
  await until('nothing is left', async () => {
    const volumes = await admin.list<Volume>(resources.volume, undefined);
    const ofPrimes = volumes.filter(({ spec }) => spec.claimRef?.namespace === systemNamespace);
    const known = volumes.map((volume) => standIn.directoryOf(volume));
    const onDisk = readdirSync(standIn.folder)
      .map((name) => join(standIn.folder, name, 'volumes'))
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder).map((volume) => join(folder, volume)));
    return [...ofPrimes.map(({ metadata }) => metadata.name), ...onDisk.filter((path) => !known.includes(path))];
  });
}

/** The snapshot is as good as before: whoever has it restores it beside it, and finds the same bytes. */
export async function expectUnharmed(cluster: SnapshotCluster, source: Source, className = driver): Promise<void> {
  const { client } = cluster.parts();
  const parts = { namespace: source.prod, name: `again-${Date.now()}`, className };
  const claim = await client.create(claimFrom(source.snapshot, parts));
  expect(await bytesIn(cluster, claim)).toEqual(source.bytes);
  expect(await bytesIn(cluster, source.claim)).toEqual(source.bytes);
}

/** Waits until a look at the cluster finds nothing (any more) that should not be there. */
export async function until(what: string, look: () => Promise<string[]>): Promise<void> {
  let found: string[] = [];
  const isClean = async () => {
    found = await look();
    return found.length === 0;
  };
  await comesTrue(what, isClean, { found: () => found });
}

/** Waits until a volume is free for everybody again, with the policy that it had. */
export async function untilFree(client: ClusterClient, volume: Volume): Promise<void> {
  const { persistentVolumeReclaimPolicy: policy } = volume.spec;
  const found = await client.until<Volume>(
    volume,
    ({ spec, status }) =>
      !spec.claimRef && status?.phase === 'Available' && spec.persistentVolumeReclaimPolicy === policy,
  );
  expect(Object.keys(found.metadata.annotations ?? {}).filter((key) => key.includes('longshore'))).toEqual([]);
}

export function measuredFor({ log }: SnapshotCluster, dimensions: object): string[] {
  const lines = log()
    .filter((line) => line.startsWith('measured '))
    .map((line) => JSON.parse(line.slice('measured '.length)) as { name: string; dimensions: object });
  const isMeant = (line: { dimensions: object }) =>
    Object.entries(dimensions).every(([key, value]) => (line.dimensions as Record<string, unknown>)[key] === value);
  return lines.filter(isMeant).map(({ name }) => name);
}
