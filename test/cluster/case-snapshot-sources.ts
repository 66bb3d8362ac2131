import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VolumeSnapshotLink } from '../../lib/capabilities/data-sources/objects.ts';
import type { Claim, DataSource, ReferenceGrant } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import type { Snapshot } from '../../tools/csi-stand-in/kinds.ts';
import * as made from '../../tools/csi-stand-in/objects.ts';
import { areChanged, guarded } from './case-needs.ts';
import { driver, untilReady, volumeOf, type WithDriver } from './case-snapshots.ts';

export type Ways = 'link' | 'field';
export const ways: Ways[] = ['link', 'field'];

/** A snapshot in one namespace, what it has, and the namespace that wants it. */
export interface Source {
  prod: string;
  test: string;
  claim: Claim;
  snapshot: Snapshot;
  bytes: Buffer;
}

interface SourceParts {
  className?: string;
  snapshotClassName?: string;
  volumeMode?: string;
  storage?: string;
}

let count = 0;

/** Two namespaces, and in the first one a claim with a file of random bytes. */
export async function makeData({ parts }: WithDriver, { className = driver, ...rest }: SourceParts = {}) {
  const { client, standIn } = parts();
  count += 1;
  const [prod, test] = [`prod-${count}`, `test-${count}`];
  await Promise.all([client.createNamespace(prod), client.createNamespace(test)]);
  const { snapshotClassName: _, ...claimParts } = rest;
  const claim = await client.create(made.emptyClaim({ namespace: prod, name: 'data', className, ...claimParts }));
  const bytes = randomBytes(500);
  writeFileSync(join(standIn.directoryOf(await volumeOf(client, claim)), 'file'), bytes);
  const snapshot = made.snapshotOf(claim, 'backup', rest.snapshotClassName ?? className);
  return { prod, test, claim, bytes, snapshot };
}

export async function makeSource(cluster: WithDriver, sourceParts: SourceParts = {}): Promise<Source> {
  const source = await makeData(cluster, sourceParts);
  const { client } = cluster.parts();
  await client.create(source.snapshot);
  return { ...source, snapshot: await untilReady(client, source.snapshot) };
}

/** What a pod would find in the volume of a claim. */
export async function bytesIn({ parts }: WithDriver, claim: Claim): Promise<Buffer> {
  const { client, standIn } = parts();
  return readFileSync(join(standIn.directoryOf(await volumeOf(client, claim)), 'file'));
}

export function linkTo({ test }: Source, source: { name?: string; namespace?: string }, name = 'link') {
  const { apiVersion, kind } = resources.snapshotLink;
  const link: VolumeSnapshotLink = {
    ...{ apiVersion, kind, metadata: { namespace: test, name } },
    spec: { source: { name: 'backup', ...source } },
  };
  return link;
}

export const linkSource: DataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshotLink', name: 'link' };
/** The standard field, which only a server keeps that changes claims, or has the gate for it. */
export const fieldSource = (namespace: string) => {
  return { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'backup', namespace };
};

/** The same as it is written where the server does not keep it. */
export const referenceSource = (namespace: string): DataSource => {
  return { apiGroup: 'longshore.dev', kind: 'VolumeSnapshotReference', name: `${namespace}.backup` };
};

/** A claim that Longshore populates, with the selector if nothing adds it. */
export function wanting(source: DataSource, parts: Parameters<typeof made.claimFrom>[1]): Claim {
  const claim = made.claimFrom(source, parts);
  return areChanged ? claim : guarded(claim);
}

/** A claim for the snapshot's data, which names it in either way; its link is made here. */
export async function ask(
  { parts }: WithDriver,
  source: Source,
  {
    way = 'link',
    ...special
  }: { way?: Ways; name?: string; className?: string; storage?: string; volumeMode?: string } = {},
): Promise<Claim> {
  const { client } = parts();
  const { prod, test: namespace } = source;
  const link = linkTo(source, { namespace: prod });
  if (way === 'link' && !(await client.get(link))) await client.create(link);
  const claim = { namespace, name: `by-${way}`, className: driver, ...special };
  const field = areChanged ? fieldSource(prod) : referenceSource(prod);
  return client.create(wanting(way === 'link' ? linkSource : field, claim));
}

/** Leave for everything that the other namespace wants, or for what is given instead of a part of it. */
export function grantFor(
  { prod, test }: Pick<Source, 'prod' | 'test'>,
  { from = {}, to = {}, name = 'allow', way }: { from?: object; to?: object; name?: string; way?: Ways } = {},
): ReferenceGrant {
  const link = { group: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshotLink', namespace: test, ...from };
  const field = { group: '', kind: 'PersistentVolumeClaim', namespace: test, ...from };
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'ReferenceGrant',
    metadata: { namespace: prod, name },
    spec: {
      from: way ? [{ link, field }[way]] : [link, field],
      to: [{ group: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', ...to }],
    },
  };
}
