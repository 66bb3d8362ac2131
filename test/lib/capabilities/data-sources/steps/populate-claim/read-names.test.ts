import { describe, expect, test } from '@jest/globals';
import {
  linkedClaim,
  linkGrant,
  referringClaim,
  snapshotLink,
  volumeSnapshot,
} from '../../../../../support/builders-of-snapshots.ts';
import { copies, paths, reading, sorted, source } from '../../populate-reading.ts';

describe('what can be no name never gets into a path:', () => {
  const illegal = ['..', '../secrets', 'a/b', 'A', '', 'a?b', 'a%2Fb', 'é'];
  const linked = (name: string) =>
    linkedClaim({ spec: { dataSourceRef: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshotLink', name } } });
  const isLegal = (path: string) => /^(\/[a-z0-9.-]+)+$|^[A-Za-z]+ in [a-z0-9.-]+$/.test(path) && !path.includes('..');

  test.each(illegal)('a link, %j', async (name) => {
    const { asked } = await reading(linked(name), ...source);
    expect(asked).toEqual(sorted(paths.claim, ...copies, paths.storageClass, paths.settings));
  });

  test.each(illegal)('what a link names, %j', async (name) => {
    for (const from of [{ name }, { name, namespace: 'prod' }, { name: 'backup', namespace: name }]) {
      const link = { ...snapshotLink(), spec: { source: from } };
      const { asked } = await reading(linkedClaim(), link, linkGrant());
      expect(asked.every(isLegal)).toBe(true);
    }
  });

  test.each(['', '.', 'prod', 'prod.', '.backup', 'prod...', 'prod.../a', 'a/b.c', 'PROD.backup'])(
    'a reference, %j',
    async (name) => {
      const { asked } = await reading(referringClaim({}, name), ...source);
      expect(asked.every(isLegal)).toBe(true);
      expect(asked.filter((path) => path.startsWith('ReferenceGrant'))).toEqual([]);
    },
  );

  test('the content that a snapshot names', async () => {
    for (const name of illegal) {
      const snapshot = volumeSnapshot({ status: { boundVolumeSnapshotContentName: name } });
      const { asked } = await reading(linkedClaim(), snapshotLink(), linkGrant(), snapshot);
      expect(asked.every(isLegal)).toBe(true);
    }
  });

  test('the volume that a claim names', async () => {
    for (const volumeName of illegal) {
      const { asked } = await reading(linkedClaim({ spec: { volumeName } }));
      expect(asked.every(isLegal)).toBe(true);
    }
  });
});
