import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { claimFrom, emptyClaim, snapshotOf } from '../../tools/csi-stand-in/objects.ts';
import { isServed, needs } from './case-needs.ts';
import { withoutPolicy, writer } from './case-snapshot-policies.ts';
import { bytesIn, fieldSource, grantFor, makeData, makeSource } from './case-snapshot-sources.ts';
import { dataPopulated, untilSaid } from './case-snapshot-waits.ts';
import { driver, runSnapshots, volumeOf } from './case-snapshots.ts';
import { untilBound, untilEvents } from './case-waits.ts';

const cluster = runSnapshots();
const client = () => cluster.parts().client;
const inProd = (namespace: string, name: string) => ({ namespace, name, className: driver });

describe('in one namespace, DataPopulated', () => {
  test('is True for what was restored, as soon as its snapshot is there', async () => {
    const source = await makeData(cluster);
    const claim = await client().create(claimFrom(source.snapshot, inProd(source.prod, 'restored')));
    expect((await untilSaid(client(), claim, 'SourceMissing')).status).toBe('False');
    await untilEvents(client(), claim, 'SourceMissing');
    await client().create(source.snapshot);
    expect((await untilSaid(client(), claim, 'Restored')).status).toBe('True');
    await untilEvents(client(), claim, 'Restored');
    expect(await bytesIn(cluster, claim)).toEqual(source.bytes);
  });

  test('is True for what was cloned, as soon as its source is there', async () => {
    const { prod, bytes, claim: present } = await makeData(cluster);
    const absent = emptyClaim(inProd(prod, 'later'));
    const waiting = await client().create(claimFrom(absent, inProd(prod, 'clone-of-later')));
    await untilSaid(client(), waiting, 'SourceMissing');
    await client().create(absent);
    expect((await untilSaid(client(), waiting, 'Cloned')).status).toBe('True');
    const clone = await client().create(claimFrom(present, inProd(prod, 'clone')));
    await untilSaid(client(), clone, 'Cloned');
    expect(await bytesIn(cluster, clone)).toEqual(bytes);
  });

  test('is False while the snapshot is being taken', async () => {
    const source = await makeData(cluster);
    cluster.parts().standIn.uploading(driver, true);
    await client().create(snapshotOf(source.claim, 'backup', driver));
    const claim = await client().create(claimFrom(source.snapshot, inProd(source.prod, 'restored')));
    expect((await untilSaid(client(), claim, 'SourceNotReady')).status).toBe('False');
    cluster.parts().standIn.uploading(driver, false);
    expect((await untilSaid(client(), claim, 'Restored')).status).toBe('True');
  });

  test('is False for a kind that nobody has registered for, which is told of', async () => {
    const { prod } = await makeData(cluster);
    const unknown = { apiGroup: 'example.com', kind: 'Backup', name: 'any' };
    const claim = await client().create(claimFrom(unknown, inProd(prod, 'unknown')));
    const { status, message } = await untilSaid(client(), claim, 'UnrecognizedDataSourceKind');
    expect([status, message]).toEqual(['False', expect.stringContaining('Backup.example.com')]);
    await untilEvents(client(), claim, 'UnrecognizedDataSourceKind');
    const sourceKind = { group: 'example.com', kind: 'Backup' };
    const populator = { apiVersion: 'populator.storage.k8s.io/v1beta1', kind: 'VolumePopulator' };
    await client().create({ ...populator, metadata: { name: 'backups' }, ...{ sourceKind } });
    await untilSaid(client(), claim, 'NotBound');
  });

  test('is not there for a claim that asks for no data', async () => {
    const { claim } = await makeData(cluster);
    expect(dataPopulated(await untilBound(client(), claim))).toBeUndefined();
  });
});

needs('unchanged claims').test(
  'an empty volume of a claim whose reference the server has dropped is told of',
  async () => {
    const writes = writer(await readFile(cluster.parts().kubeconfig, 'utf8'));
    const source = await makeSource(cluster);
    const reference = claimFrom(fieldSource(source.prod), inProd(source.test, 'probe'));
    const tried = () => writes.create(reference, 'All');
    const isRefused = () =>
      tried().then(
        () => false,
        () => true,
      );
    if (isServed) await withoutPolicy(client(), 'Mutating', 'keep-references-to-snapshots', isRefused);
    await withoutPolicy(client(), 'Validating', 'references-are-not-dropped', async () => !(await isRefused()));
    await client().create(grantFor(source));
    const claim = await client().create(claimFrom(fieldSource(source.prod), inProd(source.test, 'by-field')));
    expect(claim.spec.dataSourceRef).toBeUndefined();
    expect((await untilSaid(client(), claim, 'ReferenceDropped')).status).toBe('False');
    await untilEvents(client(), claim, 'ReferenceDropped');
    expect(readdirSync(cluster.parts().standIn.directoryOf(await volumeOf(client(), claim)))).toEqual([]);
  },
);
