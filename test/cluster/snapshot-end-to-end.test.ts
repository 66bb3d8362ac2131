import { describe, expect, test } from '@jest/globals';
import { resources } from '../../lib/kubernetes/resources.ts';
import { claimFrom, provisionedClass } from '../../tools/csi-stand-in/objects.ts';
import {
  ask,
  fieldSource,
  grantFor,
  linkSource,
  linkTo,
  makeSource,
  referenceSource,
  wanting,
  ways,
} from './case-snapshot-sources.ts';
import { expectNothingMade, expectRestored, expectUnharmed, measuredFor, untilSaid } from './case-snapshot-waits.ts';
import { driver, runSnapshots } from './case-snapshots.ts';
import { untilBound, untilEvents } from './case-waits.ts';

const cluster = runSnapshots();
const client = () => cluster.parts().client;

describe.each(ways)('a snapshot that is named by %s', (way) => {
  test('in another namespace that has granted it is provisioned', async () => {
    const source = await makeSource(cluster);
    await client().create(grantFor(source, { way }));
    const claim = await ask(cluster, source, { way });
    await expectRestored(cluster, source, claim);
    const { message } = await untilSaid(client(), claim, 'Populated');
    expect(message).toBe(`restored from VolumeSnapshot ${source.prod}/backup`);
    await untilEvents(client(), claim, 'Populating', 'Populated');
    await expectUnharmed(cluster, source);
  });

  test('in another namespace that has not granted it is not provisioned, until it is granted', async () => {
    const source = await makeSource(cluster);
    const claim = await ask(cluster, source, { way });
    const { status, message } = await untilSaid(client(), claim, 'NotGranted');
    expect(status).toBe('False');
    expect(message).toContain(`no ReferenceGrant in namespace ${source.prod} lets `);
    await untilEvents(client(), claim, 'NotGranted');
    // It had every opportunity: a new forwarder has brought it up once more.
    await cluster.resync();
    await expectNothingMade(cluster, claim);
    await client().create(grantFor(source, { way }));
    await expectRestored(cluster, source, claim);
  });

  test('in its own namespace needs a grant there, too, when the namespace is named', async () => {
    const source = await makeSource(cluster);
    const own = { ...source, test: source.prod };
    const claim = await ask(cluster, own, { way });
    const { message } = await untilSaid(client(), claim, 'NotGranted');
    expect(message).toContain('which is needed because a namespace is named');
    await expectNothingMade(cluster, claim);
    await client().create(grantFor(own, { way }));
    await expectRestored(cluster, source, claim);
  });
});

describe('a snapshot in its own namespace, whose namespace is not named, needs no grant', () => {
  test.each([{}, { namespace: '' }])('by a link with %j', async (namespace) => {
    const source = await makeSource(cluster);
    await client().create(linkTo({ ...source, test: source.prod }, namespace));
    const parts = { namespace: source.prod, name: 'copy', className: driver };
    await expectRestored(cluster, source, await client().create(wanting(linkSource, parts)));
  });

  test.each([{}, { namespace: '' }])('by the field with %j, which its provisioner restores', async (namespace) => {
    const source = await makeSource(cluster);
    const { namespace: _, ...plain } = fieldSource('');
    const parts = { namespace: source.prod, name: 'copy', className: driver };
    const claim = await client().create(claimFrom({ ...plain, ...namespace }, parts));
    expect((await untilSaid(client(), claim, 'Restored')).status).toBe('True');
    await expectUnharmed(cluster, source);
    expect(cluster.log().filter((line) => line.includes(`populate-${claim.metadata.uid}`))).toEqual([]);
  });
});

test('a snapshot that is named by our own kind of reference, as where the policy is not served, needs a grant', async () => {
  const source = await makeSource(cluster);
  const reference = referenceSource(source.prod);
  const parts = { namespace: source.test, name: 'copy', className: driver };
  const claim = await client().create(wanting(reference, parts));
  await untilSaid(client(), claim, 'NotGranted');
  await expectNothingMade(cluster, claim);
  await client().create(grantFor(source, { way: 'field' }));
  await expectRestored(cluster, source, claim);
});

describe('what is counted', () => {
  const total = 'cross_namespace_persistentvolumeclaim_provision_total';
  const failed = 'cross_namespace_persistentvolumeclaim_provision_failed_total';

  test.each([
    ['link', 'VolumeSnapshotLink'],
    ['field', 'VolumeSnapshot'],
  ] as const)('a failure and a success of a claim by %s, by storage class, each once', async (way, SourceKind) => {
    const className = `counted-${way}`;
    await client().create(provisionedClass({ name: className, driver }));
    const source = await makeSource(cluster);
    const claim = await ask(cluster, source, { way, className });
    await untilSaid(client(), claim, 'NotGranted');
    await cluster.resync();
    expect(measuredFor(cluster, { StorageClass: className })).toEqual([failed]);
    await client().create(grantFor(source));
    await expectRestored(cluster, source, claim);
    await cluster.resync();
    expect(measuredFor(cluster, { StorageClass: className })).toEqual([failed, total]);
    expect(measuredFor(cluster, { StorageClass: className, SourceKind })).toEqual([failed, total]);
  });
});

test('nothing is left in its own namespace', async () => {
  const { admin } = cluster.parts();
  expect(await admin.list(resources.claim, 'longshore-system')).toEqual([]);
  expect(await admin.list(resources.snapshot, 'longshore-system')).toEqual([]);
});

test('a claim that is bound is left alone, whatever becomes of its grant, link and snapshot', async () => {
  const source = await makeSource(cluster);
  const grant = grantFor(source);
  await client().create(grant);
  const claim = await ask(cluster, source);
  await expectRestored(cluster, source, claim);
  const { resourceVersion } = (await untilBound(client(), claim)).metadata;
  for (const object of [grant, linkTo(source, {}), source.snapshot]) {
    await client().delete(object);
    await client().untilGone(object);
  }
  await cluster.resync();
  await expectRestored(cluster, source, claim);
  expect((await untilBound(client(), claim)).metadata.resourceVersion).toBe(resourceVersion);
});
