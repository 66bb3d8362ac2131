import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { claimFrom } from '../../tools/csi-stand-in/objects.ts';
import { limitBy } from './case-objects.ts';
import { ask, grantFor, makeSource } from './case-snapshot-sources.ts';
import {
  copiesOf,
  dataPopulated,
  expectRestored,
  expectUnharmed,
  measuredFor,
  untilSaid,
} from './case-snapshot-waits.ts';
import { makeGranted } from './case-snapshot-work.ts';
import { driver, runSnapshots, volumeNamed, volumeOf } from './case-snapshots.ts';
import { untilBound, untilEvents } from './case-waits.ts';

const ignorant = 'ignorant.csi.test';
const cluster = runSnapshots({ drivers: [{ name: driver }, { name: ignorant, knowsSources: false }] });
const client = () => cluster.parts().client;
const standIn = () => cluster.parts().standIn;

describe('a provisioner', () => {
  test('that fails is heard by the user of the claim, and goes on when it is well again', async () => {
    const source = await makeGranted(cluster);
    standIn().failing(driver, true);
    const claim = await ask(cluster, source);
    const { prime } = copiesOf(claim);
    await client().until(prime);
    await untilEvents(client(), prime, 'ProvisioningFailed');
    cluster.passTime(10_000);
    await cluster.resync();
    const { status, message } = await untilSaid(client(), claim, 'ProvisioningFailed');
    expect([status, message]).toEqual(['False', expect.stringContaining('the driver was told to fail')]);
    await untilEvents(client(), claim, 'ProvisioningFailed');
    standIn().failing(driver, false);
    await expectRestored(cluster, source, claim);
    await expectUnharmed(cluster, source);
  });

  test('that takes its time is told of, and no failure is counted', async () => {
    const source = await makeGranted(cluster);
    standIn().hanging(driver, true);
    const before = measuredFor(cluster, { StorageClass: driver }).length;
    const claim = await ask(cluster, source, { way: 'field' });
    await client().until(copiesOf(claim).prime);
    cluster.passTime(10_000);
    await cluster.resync();
    expect((await untilSaid(client(), claim, 'Populating')).status).toBe('False');
    standIn().hanging(driver, false);
    await expectRestored(cluster, source, claim);
    expect(measuredFor(cluster, { StorageClass: driver }).length).toBe(before + 1);
  });

  test('that does not know of data sources is found out in the own namespace of a snapshot of another driver', async () => {
    const source = await makeSource(cluster);
    const parts = { namespace: source.prod, name: 'empty', className: ignorant };
    const claim = await client().create(claimFrom(source.snapshot, parts));
    await untilBound(client(), claim);
    expect((await untilSaid(client(), claim, 'IgnoredByProvisioner')).status).toBe('False');
    await untilEvents(client(), claim, 'IgnoredByProvisioner');
    expect(readdirSync(standIn().directoryOf(await volumeOf(client(), claim)))).toEqual([]);
  });
});

test('what the cluster refuses is told of, and tried again at the next list', async () => {
  const source = await makeSource(cluster);
  const hard = { 'count/persistentvolumeclaims': '0' };
  const quota = await limitBy(client(), 'longshore-system', hard);
  const claim = await ask(cluster, source);
  await client().create(grantFor(source));
  expect((await untilSaid(client(), claim, 'WriteRefused')).message).toContain('exceeded quota');
  expect((await client().until<Claim>(claim)).spec.volumeName).toBeUndefined();
  await client().delete(quota);
  await client().untilGone(quota);
  await cluster.resync();
  await expectRestored(cluster, source, claim);
  await expectUnharmed(cluster, source);
});

describe('an empty volume that a provisioner makes for the prime claim is not handed over as the data', () => {
  /** Whoever makes volumes in the name of a driver without being it, as far as the cluster sees. */
  async function makeEmpty(claim: Claim, like: Volume, spec: object): Promise<Volume> {
    const prime = await client().until<Claim>(copiesOf(claim).prime);
    const { apiVersion, kind, metadata } = prime;
    const { namespace = '', name, uid = '' } = metadata;
    const { csi: _, claimRef: __, ...rest } = like.spec;
    const volume: Volume = {
      ...volumeNamed(`pvc-${uid}`),
      metadata: { name: `pvc-${uid}`, annotations: { 'pv.kubernetes.io/provisioned-by': driver } },
      spec: { ...rest, claimRef: { apiVersion, kind, namespace, name, uid }, ...spec },
    };
    return client().create(volume);
  }

  test.each([
    ['of no driver at all', { hostPath: { path: '/tmp/longshore-empty' } }],
    ['of another driver', { csi: { driver: 'other.csi.test', volumeHandle: 'empty' } }],
  ])('%s', async (_, spec) => {
    const source = await makeGranted(cluster);
    standIn().hanging(driver, true);
    const claim = await ask(cluster, source);
    await makeEmpty(claim, await volumeOf(client(), source.claim), spec);
    const isOver = (each: Claim) =>
      each.status?.phase === 'Bound' || !['', 'Populating'].includes(dataPopulated(each)?.reason ?? '');
    const found = await client().until<Claim>(claim, isOver);
    expect(found.spec.volumeName).toBeUndefined();
    expect(dataPopulated(found)).toMatchObject({ status: 'False', reason: 'IgnoredByProvisioner' });
  });

  // Nothing in the cluster tells this volume from one that has the data. The documents have to say so.
  test('of the very driver of the snapshot, whose provisioner is too old: this is not to be seen', async () => {
    const source = await makeGranted(cluster, { className: ignorant });
    const claim = await ask(cluster, source, { className: ignorant });
    await untilSaid(client(), claim, 'Populated');
    expect(readdirSync(standIn().directoryOf(await volumeOf(client(), claim)))).toEqual([]);
  });
});
