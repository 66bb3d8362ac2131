import { describe, expect, test } from '@jest/globals';
import { snapshotClass, snapshotOf } from '../../../tools/csi-stand-in/objects.ts';
import { Random } from '../../simulation/random.ts';
import { Case, driverName } from './case.ts';

const marks = {
  source: 'snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection',
  bound: 'snapshot.storage.kubernetes.io/volumesnapshot-bound-protection',
  content: 'snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection',
  claim: 'snapshot.storage.kubernetes.io/pvc-as-source-protection',
};

describe('snapshots', () => {
  test('are taken, bound both ways, and protected', () => {
    const of = new Case();
    const claim = of.claimWith('data', { storage: '2Gi' });
    const snapshot = of.snapshot(claim);
    const content = of.contentOf(snapshot);
    expect(snapshot.status).toMatchObject({ readyToUse: true, restoreSize: '2Gi' });
    expect(snapshot.metadata.finalizers).toEqual([marks.source, marks.bound]);
    expect(content.metadata).toMatchObject({
      name: `snapcontent-${snapshot.metadata.uid}`,
      finalizers: [marks.content],
    });
    expect(content.metadata.annotations ?? {}).toEqual({});
    expect(content.spec.volumeSnapshotRef).toMatchObject({
      namespace: 'here',
      name: 'taken',
      uid: snapshot.metadata.uid,
    });
    expect(content.status).toMatchObject({ readyToUse: true, restoreSize: 2 ** 31 });
    expect(of.now(claim).metadata.finalizers).not.toContain(marks.claim);
  });

  test('hold their claim while they are being taken', () => {
    const of = new Case();
    const claim = of.claimWith('data');
    of.csi.driver(driverName).uploading = true;
    const snapshot = of.snapshot(claim);
    expect(snapshot.status?.readyToUse).toBe(false);
    of.delete(claim);
    of.settle();
    expect(of.now(claim).metadata.finalizers).toContain(marks.claim);
    of.csi.driver(driverName).uploading = false;
    of.settle();
    expect(of.find(claim)).toBeUndefined();
    expect(of.now(snapshot).status?.readyToUse).toBe(true);
  });

  test('get the default class of their driver', () => {
    const of = new Case();
    of.make(snapshotClass({ name: 'usual', driver: driverName, isDefault: true }));
    of.make(snapshotClass({ name: 'foreign', driver: 'other.csi.longshore.dev', isDefault: true }));
    const snapshot = of.make(snapshotOf(of.claimWith('data'), 'taken'));
    of.settle();
    expect(of.now(snapshot)).toMatchObject({
      spec: { volumeSnapshotClassName: 'usual' },
      status: { readyToUse: true },
    });
  });

  test.each([
    ['no class is there', 'absent', 'GetSnapshotClassFailed'],
    ['its class is that of another driver', 'other.csi.longshore.dev', 'SnapshotCreationFailed'],
  ])('say so when %s', (_, className, reason) => {
    const of = new Case({}, { name: 'other.csi.longshore.dev' });
    const snapshot = of.snapshot(of.claimWith('data'), 'taken', className);
    const told = reason === 'SnapshotCreationFailed' ? of.contentOf(snapshot) : snapshot;
    expect(of.warningsAbout(told)).toEqual([expect.stringContaining(reason)]);
    expect(snapshot.status?.error?.message).toBeTruthy();
    expect(snapshot.status?.readyToUse ?? false).toBe(false);
  });

  test('say so when their claim is not there, and are taken when it comes', () => {
    const of = new Case();
    const claim = of.claimWith('data');
    of.delete(claim);
    of.settle();
    const snapshot = of.snapshot(claim);
    expect(of.warningsAbout(snapshot)).toEqual([expect.stringContaining('SnapshotContentCreationFailed')]);
    of.claimWith('new');
    expect(of.now(snapshot).status).toMatchObject({ readyToUse: true });
    expect(of.now(snapshot).status?.error).toBeUndefined();
  });

  test('go with their content and their data, whether or not the claim is still there', () => {
    const of = new Case();
    const claim = of.claimWith('data');
    const snapshot = of.snapshot(claim);
    const content = of.contentOf(snapshot);
    of.delete(claim);
    of.settle();
    expect(of.csi.diskOf(driverName).handles()).toMatchObject({ volumes: [], snapshots: [expect.anything()] });
    of.delete(snapshot);
    of.settle();
    expect([of.find(snapshot), of.find(content)]).toEqual([undefined, undefined]);
    expect(of.csi.diskOf(driverName).handles().snapshots).toEqual([]);
  });

  test('leave content and data where the class says so', () => {
    const of = new Case();
    of.make(snapshotClass({ name: 'retained', driver: driverName, policy: 'Retain' }));
    const snapshot = of.snapshot(of.claimWith('data'), 'taken', 'retained');
    expect(snapshot.metadata.finalizers).toEqual([marks.source]);
    of.delete(snapshot);
    of.settle();
    expect(of.find(snapshot)).toBeUndefined();
    const content = of.contentOf(snapshot);
    expect(content.metadata.finalizers).toEqual([marks.content]);
    of.delete(content);
    of.settle();
    expect(of.find(content)).toBeUndefined();
    expect(of.csi.diskOf(driverName).handles().snapshots).toHaveLength(1);
  });

  test('outlive the deletion of their content, which waits for them', () => {
    const of = new Case();
    const snapshot = of.snapshot(of.claimWith('data'));
    const content = of.contentOf(snapshot);
    of.delete(content);
    of.settle();
    expect(of.now(content).metadata.deletionTimestamp).toBeDefined();
    expect(of.now(snapshot).status?.readyToUse).toBe(true);
    of.delete(snapshot);
    of.settle();
    expect([of.find(snapshot), of.find(content)]).toEqual([undefined, undefined]);
  });

  test('get there in whatever order things happen', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const of = new Case();
      const claim = of.claimWith('data');
      const snapshot = of.make(snapshotOf(claim, 'taken', driverName));
      const random = new Random(seed);
      while (of.csi.syncOne(random));
      expect(of.now(snapshot).status?.readyToUse).toBe(true);
    }
  });
});
