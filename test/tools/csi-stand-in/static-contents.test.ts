import { describe, expect, test } from '@jest/globals';
import type { ContentParts } from '../../../tools/csi-stand-in/objects.ts';
import { snapshotClass, snapshotFrom, staticContent } from '../../../tools/csi-stand-in/objects.ts';
import type { DriverOptions } from '../../../tools/csi-stand-in/rules/rule.ts';
import { Case, driverName } from './case.ts';

/** A snapshot in one namespace, and a copy of its content for a snapshot in another one. */
function copied(options: Omit<DriverOptions, 'name'> = {}, parts: Partial<ContentParts> = {}) {
  const of = new Case(options);
  const source = of.claimWith('data');
  const snapshot = of.snapshot(source);
  const handle = of.contentOf(snapshot).status?.snapshotHandle ?? '';
  const place = { namespace: 'there', name: 'copy' };
  const content = of.make(staticContent({ name: 'copy', driver: driverName, handle, snapshot: place, ...parts }));
  const copy = of.make(snapshotFrom(content));
  of.settle();
  return { of, source, snapshot, content: of.now(content), copy: of.now(copy) };
}

const secretParameters = {
  'csi.storage.k8s.io/snapshotter-list-secret-name': 'list',
  'csi.storage.k8s.io/snapshotter-list-secret-namespace': 'default',
};
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'list' } };

describe('static contents', () => {
  test('are bound and ready with the size that the driver tells', () => {
    const { of, content, copy } = copied();
    expect(content.spec.volumeSnapshotRef.uid).toBe(copy.metadata.uid);
    expect(copy.status).toMatchObject({ boundVolumeSnapshotContentName: 'copy', readyToUse: true, restoreSize: '1Gi' });
    expect(of.textIn(of.restore(copy, { namespace: 'there' }))).toBe('data');
  });

  test.each([
    ['absent', undefined],
    ['zero', '0'],
  ] as const)('of a driver that lists none are ready with a size that is %s', (unknownSize, restoreSize) => {
    const { of, copy } = copied({ listsSnapshots: false, unknownSize });
    expect(copy.status?.readyToUse).toBe(true);
    expect(copy.status?.restoreSize).toBe(restoreSize);
    expect(of.textIn(of.restore(copy, { namespace: 'there' }))).toBe('data');
  });

  test('of what is not on the disk are not ready, unless the driver cannot tell', () => {
    const { of, content, copy } = copied({}, { handle: 'unknown' });
    expect(copy.status?.readyToUse).toBe(false);
    expect(of.warningsAbout(content)).toEqual([expect.stringContaining('SnapshotContentCheckandUpdateFailed')]);
    const unlisted = copied({ listsSnapshots: false }, { handle: 'unknown' });
    const claim = unlisted.of.restore(unlisted.copy, { namespace: 'there' });
    expect(unlisted.of.warningsAbout(claim)).toEqual([expect.stringContaining('code = NotFound')]);
  });

  test('wait for the Secret that their class names, and for a class that names one where it is demanded', () => {
    const { of, content, copy } = copied({ demandsListSecret: true });
    expect(of.warningsAbout(content)).toEqual([expect.stringContaining('demands a Secret')]);
    of.make(snapshotClass({ name: 'secret', driver: driverName, parameters: secretParameters }));
    of.change(content, { spec: { volumeSnapshotClassName: 'secret' } });
    of.settle();
    expect(of.warningsAbout(content)).toContainEqual(expect.stringContaining('default/list is not there'));
    of.make(secret);
    of.settle();
    expect(of.now(copy).status?.readyToUse).toBe(true);
  });

  test('leave the data where it is when they go before or after their snapshot', () => {
    for (const order of ['content', 'copy'] as const) {
      const { of, snapshot, content, copy } = copied();
      const both = order === 'content' ? [content, copy] : [copy, content];
      for (const object of both) {
        of.delete(object);
        of.settle();
      }
      expect([of.find(content), of.find(copy)]).toEqual([undefined, undefined]);
      expect(of.now(snapshot).status?.readyToUse).toBe(true);
      expect(of.textIn(of.restore(snapshot))).toBe('data');
    }
  });

  test('take the data with them when their policy says so', () => {
    const { of, copy, content } = copied({}, { policy: 'Delete' });
    of.delete(copy);
    of.settle();
    expect([of.find(content), of.find(copy)]).toEqual([undefined, undefined]);
    expect(of.csi.diskOf(driverName).handles().snapshots).toEqual([]);
  });

  test('are not bound to a snapshot of another name', () => {
    const { of, content } = copied();
    const thief = { ...snapshotFrom(content), metadata: { namespace: 'here', name: 'thief' } };
    of.make(thief);
    of.settle();
    expect(of.warningsAbout(of.now(thief))).toEqual([
      expect.stringContaining('SnapshotContentMisbound'),
      expect.stringContaining('SnapshotFinalizerError'),
    ]);
  });
});
