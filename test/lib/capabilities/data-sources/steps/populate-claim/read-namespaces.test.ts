import { describe, expect, test } from '@jest/globals';
import type { ClusterObject } from '../../../../../../lib/kubernetes/objects.ts';
import {
  claimGrant,
  linkedClaim,
  linkGrant,
  namespace,
  referringClaim,
  snapshotContent,
  snapshotLink,
  volumeSnapshot,
} from '../../../../../support/builders-of-snapshots.ts';
import { paths, reading } from '../../populate-reading.ts';
import * as stage from '../../populate-stages.ts';

const older = { creationTimestamp: '2026-03-01T09:30:00Z' };
const namespaces = [namespace('test'), namespace('prod')];
const work = [stage.contentCopy(), stage.snapshotCopy(), stage.primeBound(), stage.volume()];

async function namespacesReadOf(...objects: ClusterObject[]): Promise<string[]> {
  const { asked } = await reading(...objects, ...namespaces);
  return asked.filter((path) => path.startsWith('/api/v1/namespaces/') && path.split('/').length === 5);
}

describe('the namespace of the claim is read', () => {
  test('where a grant is needed, whether there is one or not', async () => {
    for (const grants of [[], [linkGrant()]]) {
      const { world, asked } = await reading(linkedClaim(), snapshotLink(), volumeSnapshot(), ...grants, ...namespaces);
      expect(asked).toContain(paths.namespace);
      expect(world.namespace).toEqual(namespace('test'));
    }
  });
});

describe('the namespace of the snapshot is read', () => {
  const granted = [linkGrant(), snapshotContent()];

  test('where the snapshot was taken after it was named', async () => {
    const link = snapshotLink({ metadata: older });
    expect(await namespacesReadOf(linkedClaim(), link, volumeSnapshot(), ...granted)).toContain(paths.sourceNamespace);
    const claim = referringClaim({ metadata: older });
    expect(await namespacesReadOf(claim, volumeSnapshot(), claimGrant())).toContain(paths.sourceNamespace);
  });

  test('where the volume is made, and the snapshot is gone', async () => {
    const seen = await namespacesReadOf(stage.held(), snapshotLink(), ...granted, ...work);
    expect(seen).toContain(paths.sourceNamespace);
  });

  test.each<[string, ClusterObject[]]>([
    ['where it was named later', [snapshotLink(), volumeSnapshot(), ...granted]],
    ['without a grant', [snapshotLink({ metadata: older }), volumeSnapshot()]],
    [
      'without a grant for this namespace of that name',
      [
        snapshotLink({ metadata: older }),
        volumeSnapshot(),
        linkGrant({ metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } }),
      ],
    ],
  ])('but not %s', async (_, objects) => {
    expect(await namespacesReadOf(linkedClaim(), ...objects)).toEqual([paths.namespace]);
  });

  test('once where it is that of the claim', async () => {
    const inTest = { metadata: { namespace: 'test' } };
    const link = snapshotLink({ metadata: older, spec: { source: { namespace: 'test', name: 'backup' } } });
    const objects = [linkedClaim(), link, volumeSnapshot(inTest), linkGrant(inTest), snapshotContent()];
    expect(await namespacesReadOf(...objects)).toEqual([paths.namespace]);
    expect((await reading(...objects, ...namespaces)).world.sourceNamespace).toEqual(namespace('test'));
  });
});
