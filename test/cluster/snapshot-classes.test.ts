import { describe, expect, test } from '@jest/globals';
import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { provisionedClass } from '../../tools/csi-stand-in/objects.ts';
import { needs } from './case-needs.ts';
import { ask, linkSource, linkTo, type Source, wanting } from './case-snapshot-sources.ts';
import { copiesOf, expectNothingMade, expectRestored, expectUnharmed, untilSaid } from './case-snapshot-waits.ts';
import { makeGranted } from './case-snapshot-work.ts';
import { driver, runSnapshots, volumeOf } from './case-snapshots.ts';
import { untilEvents } from './case-waits.ts';

const cluster = runSnapshots({ looksUpNodes: true });
const client = () => cluster.parts().client;
const standIn = () => cluster.parts().standIn;
const selectedNode = 'volume.kubernetes.io/selected-node';

async function askWithout(source: Source, fields: object): Promise<Claim> {
  await client().create(linkTo(source, { namespace: source.prod }));
  const claim = wanting(linkSource, { namespace: source.test, name: 'classless', className: '' });
  const { storageClassName: _, ...spec } = claim.spec;
  return client().create({ ...claim, spec: { ...spec, ...fields } });
}

describe('a storage class', () => {
  test('that is missing is waited for', async () => {
    const source = await makeGranted(cluster);
    const claim = await ask(cluster, source, { className: 'later' });
    expect((await untilSaid(client(), claim, 'StorageClassMissing')).message).toBe(
      'there is no StorageClass later (yet)',
    );
    await expectNothingMade(cluster, claim);
    await client().create(provisionedClass({ name: 'later', driver }));
    await expectRestored(cluster, source, claim);
  });

  test('that is not named is waited for, until there is a default one', async () => {
    const source = await makeGranted(cluster);
    const claim = await askWithout(source, {});
    await untilSaid(client(), claim, 'StorageClassMissing');
    await expectNothingMade(cluster, claim);
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    const made = provisionedClass({ name: 'default', driver });
    await client().create({ ...made, metadata: { ...made.metadata, annotations } });
    // The volume controller gives it to claims without one at its next round.
    await client().annotate(claim, { 'example.com/look': 'again' });
    await expectRestored(cluster, source, claim);
    await client().delete(made);
  });

  test('that is not wanted at all makes nothing', async () => {
    const claim = await askWithout(await makeGranted(cluster), { storageClassName: '' });
    const { message } = await untilSaid(client(), claim, 'StorageClassMissing');
    expect(message).toContain(`create it again with a class of driver ${driver}`);
    await expectNothingMade(cluster, claim);
  });

  test('that the annotation of former times names is the one which counts, as for quotas', async () => {
    await client().create(provisionedClass({ name: 'gold', driver }));
    const source = await makeGranted(cluster);
    await client().create(linkTo(source, { namespace: source.prod }));
    const asked = wanting(linkSource, { namespace: source.test, name: 'former', className: driver });
    const annotations = { 'volume.beta.kubernetes.io/storage-class': 'gold' };
    const claim = await client().create({ ...asked, metadata: { ...asked.metadata, annotations } });
    await expectRestored(cluster, source, claim);
    expect((await volumeOf(client(), claim)).spec.storageClassName).toBe('gold');
  });

  test('of the same driver may be another one, whose policy and options the volume gets', async () => {
    const mountOptions = ['noatime'];
    await client().create({ ...provisionedClass({ name: 'kept', driver, policy: 'Retain' }), mountOptions });
    const source = await makeGranted(cluster);
    const claim = await ask(cluster, source, { className: 'kept' });
    await expectRestored(cluster, source, claim);
    const { spec } = await volumeOf(client(), claim);
    expect(spec).toMatchObject({ persistentVolumeReclaimPolicy: 'Retain', storageClassName: 'kept', mountOptions });
  });
});

describe('a class that waits for the first consumer', () => {
  const className = 'waiting';
  const node = (name: string) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } });

  test('is served when the scheduler has chosen a node, and with another one where it cannot be that', async () => {
    await client().create(provisionedClass({ name: className, driver, binding: 'WaitForFirstConsumer' }));
    await client().create(node('good'));
    const source = await makeGranted(cluster);
    const claim = await ask(cluster, source, { className });
    await untilSaid(client(), claim, 'AwaitingConsumer');
    await expectNothingMade(cluster, claim);
    await client().annotate(claim, { [selectedNode]: 'gone' });
    await client().until<Claim>(claim, ({ metadata }) => metadata.annotations?.[selectedNode] === undefined);
    expect((await client().until<Claim>(claim)).spec.volumeName).toBeUndefined();
    await client().annotate(claim, { [selectedNode]: 'good' });
    await expectRestored(cluster, source, claim);
    await expectUnharmed(cluster, source);
  });

  test('has the scheduler choose again when the provisioner cannot make the volume for a node', async () => {
    const source = await makeGranted(cluster);
    standIn().hanging(driver, true);
    const claim = await ask(cluster, source, { className });
    await untilSaid(client(), claim, 'AwaitingConsumer');
    await client().annotate(claim, { [selectedNode]: 'good' });
    const { metadata } = await client().until(copiesOf(claim).prime);
    expect(metadata.annotations?.[selectedNode]).toBe('good');
    // A driver that has no room there has its provisioner take the node off the claim that it works on.
    await client().annotate(copiesOf(claim).prime, { [selectedNode]: null });
    await client().until<Claim>(claim, ({ metadata: { annotations } }) => !annotations?.[selectedNode]);
    await untilEvents(client(), claim, 'Rescheduling');
    await client().create(node('better'));
    await client().annotate(claim, { [selectedNode]: 'better' });
    const isMoved = ({ metadata: { annotations } }: Claim) => annotations?.[selectedNode] === 'better';
    await client().until<Claim>(copiesOf(claim).prime, isMoved);
    standIn().hanging(driver, false);
    await expectRestored(cluster, source, claim);
  });
});

needs('VolumeAttributesClass').describe('a volume attributes class', () => {
  test('goes with the claim', async () => {
    const apiVersion = 'storage.k8s.io/v1';
    const metadata = { name: 'gold' };
    await client().create({
      apiVersion,
      kind: 'VolumeAttributesClass',
      metadata,
      ...{ driverName: driver, parameters: { iops: '9' } },
    });
    const source = await makeGranted(cluster);
    standIn().hanging(driver, true);
    const claim = await askWithout(source, { storageClassName: driver, volumeAttributesClassName: 'gold' });
    const prime = await client().until<Claim>(copiesOf(claim).prime);
    expect(prime.spec.volumeAttributesClassName).toBe('gold');
    standIn().hanging(driver, false);
    await expectRestored(cluster, source, claim);
    expect((await client().until<Volume>(await volumeOf(client(), claim))).spec.volumeAttributesClassName).toBe('gold');
  });
});
