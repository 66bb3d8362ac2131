import { describe, expect, test } from '@jest/globals';
import { populateClaim } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/step.ts';
import { listOfLackingKind } from '../../../../../../lib/kubernetes/lacking-kind.ts';
import type { ClusterObject } from '../../../../../../lib/kubernetes/objects.ts';
import { configMap } from '../../../../../support/builders.ts';
import {
  claimGrant,
  linkedClaim,
  linkGrant,
  namespace,
  referringClaim,
  snapshotContent,
  snapshotLink,
  storageClass,
  volumeSnapshot,
} from '../../../../../support/builders-of-snapshots.ts';
import { claimKey } from '../../populate-play.ts';
import { copies, group, paths, reading, recording, sorted, source } from '../../populate-reading.ts';
import * as stage from '../../populate-stages.ts';

const { contentCopy, held, now, prime, primeBound, snapshotCopy } = stage;

describe('of a claim that waits', () => {
  test('everything is read that it needs, and the world says when', async () => {
    const { world, asked } = await reading(linkedClaim(), ...source);
    expect(asked).toEqual(
      sorted(
        paths.claim,
        ...copies,
        paths.link,
        paths.grants,
        paths.namespace,
        paths.snapshot,
        paths.content,
        paths.storageClass,
        paths.settings,
      ),
    );
    expect(world).toMatchObject({
      claim: linkedClaim(),
      link: snapshotLink(),
      wanted: { namespace: 'prod', name: 'backup' },
      grants: [linkGrant()],
      snapshot: volumeSnapshot(),
      content: snapshotContent(),
      storageClass: storageClass(),
      settings: { snapshots: { isOn: true } },
      readAt: now,
    });
  });

  test('no link is read where it names the snapshot itself', async () => {
    const { world, asked } = await reading(referringClaim(), claimGrant(), volumeSnapshot(), snapshotContent());
    expect(asked.filter((path) => path.includes('links'))).toEqual([]);
    expect(world).toMatchObject({ wanted: { namespace: 'prod', name: 'backup' }, snapshot: volumeSnapshot() });
  });

  test('a link without a namespace stands for its own', async () => {
    const link = { ...snapshotLink(), spec: { source: { name: 'backup' } } };
    const { world, asked } = await reading(linkedClaim(), link);
    expect(world.wanted).toEqual({ namespace: 'test', name: 'backup' });
    expect(asked).toContain(`${group}/v1/namespaces/test/volumesnapshots/backup`);
  });

  test('no grant is asked for where a link needs none', async () => {
    const link = { ...snapshotLink(), spec: { source: { name: 'backup' } } };
    const { asked } = await reading(linkedClaim(), link);
    expect(asked.filter((path) => /^ReferenceGrant|namespaces\/[a-z]+$/.test(path))).toEqual([]);
  });

  test('nothing is read of a source that a missing link would name', async () => {
    const { asked } = await reading(linkedClaim(), ...source.slice(1));
    expect(asked).toEqual(sorted(paths.claim, ...copies, paths.link, paths.storageClass, paths.settings));
  });

  test('no content is read without a snapshot, or of one that names none', async () => {
    for (const snapshot of [[], [{ ...volumeSnapshot(), status: undefined } as never]]) {
      const { asked } = await reading(linkedClaim(), snapshotLink(), linkGrant(), ...snapshot);
      expect(asked).not.toContain(paths.content);
    }
  });

  test('no class is read that it does not name', async () => {
    const claim = linkedClaim({ spec: { storageClassName: '' } });
    expect((await reading(claim, ...source)).asked.filter((path) => path.includes('storageclasses'))).toEqual([]);
  });

  test('the switch is read as an administrator has set it', async () => {
    const { world } = await reading(linkedClaim(), configMap({ snapshots: 'off' }));
    expect(world.settings?.snapshots.isOn).toBe(false);
  });
});

describe('nothing needless is read:', () => {
  const work = [contentCopy(), snapshotCopy(), primeBound(), stage.volume()];

  test.each<[string, ClusterObject[], string[]]>([
    ['a claim that is gone', [], [paths.claim]],
    [
      'a claim without a source',
      [linkedClaim({ spec: { dataSourceRef: undefined as never } }), ...source],
      [paths.claim],
    ],
    [
      'a claim that is deleted',
      [held({ metadata: stage.deleting }), ...source, ...work],
      [paths.claim, ...copies, paths.volume],
    ],
    [
      'a claim that is deleted before anything is made',
      [held({ metadata: stage.deleting }), ...source],
      [paths.claim, ...copies],
    ],
    [
      'a claim that has its volume',
      [stage.bound(), ...source, ...work.slice(0, 3), stage.handed()],
      [paths.claim, ...copies, paths.volume],
    ],
    [
      'a claim at rest',
      [stage.bound([], { finalizers: [] }), ...source, stage.handed()],
      [paths.claim, ...copies, paths.volume],
    ],
    [
      'a claim whose volume is made',
      [held(), ...source, ...work],
      [paths.claim, ...copies, paths.link, paths.grants, paths.namespace, paths.snapshot, paths.settings, paths.volume],
    ],
  ])('%s', async (_, objects, expected) => {
    expect((await reading(...objects)).asked).toEqual(sorted(...expected));
  });

  test('and nothing twice, at any stage', async () => {
    const stages: ClusterObject[][] = [
      [linkedClaim()],
      [held(), contentCopy()],
      [held(), contentCopy(), snapshotCopy()],
      [held(), contentCopy(), snapshotCopy(), prime()],
      [held(), ...work],
      [stage.bound(), ...work],
    ];
    for (const objects of stages) {
      const { asked } = await reading(...objects, ...source);
      expect([...new Set(asked)]).toEqual(asked);
    }
  });
});

describe('grants are read', () => {
  test('as they were seen most recently, as long as that is enough', async () => {
    for (const objects of [[linkedClaim()], [held(), contentCopy(), snapshotCopy(), prime()]]) {
      expect((await reading(...objects, ...source)).ages).toEqual(['ReferenceGrant recent']);
    }
  });

  test('as they are before it is said that there is none', async () => {
    const { ages } = await reading(linkedClaim(), snapshotLink(), claimGrant());
    expect(ages).toEqual(['ReferenceGrant recent', 'ReferenceGrant present']);
  });

  test('and what the server is sure of counts', async () => {
    const cluster = recording(linkedClaim(), snapshotLink(), linkGrant(), namespace('test'));
    const { list } = cluster;
    cluster.list = (resource, namespace, age) =>
      age === 'recent' ? Promise.resolve([]) : list(resource, namespace, age);
    expect((await populateClaim.read(cluster, claimKey, now)).grants).toEqual([linkGrant()]);
  });

  test('as they are before anybody gets the data', async () => {
    const { ages } = await reading(held(), ...source, contentCopy(), snapshotCopy(), primeBound(), stage.volume());
    expect(ages).toEqual(['ReferenceGrant present']);
  });
});

describe('a cluster that does not have the kind ReferenceGrant', () => {
  const lacking = (...objects: ClusterObject[]) => {
    const cluster = recording(...objects);
    return { ...cluster, list: async () => listOfLackingKind<never>() };
  };

  test('is told apart from one in which there is no grant', async () => {
    const parts = [linkedClaim(), snapshotLink(), volumeSnapshot()];
    const world = await populateClaim.read(lacking(...parts), claimKey, now);
    expect([world.grants, world.areGrantsLacking]).toEqual([[], true]);
    const { world: other } = await reading(...parts);
    expect([other.grants, other.areGrantsLacking]).toEqual([[], undefined]);
  });
});

describe('the volume is', () => {
  const other = stage.volume({ claimRef: stage.toClaim }, { name: 'volume-9', uid: 'uid-9' });

  test("that of the prime claim, as long as there is one, even where the user's claim has another", async () => {
    const claim = held({ spec: { volumeName: 'volume-9' } });
    expect((await reading(claim, primeBound(), stage.volume(), other)).world.volume).toEqual(stage.volume());
  });

  test('that of the claim itself otherwise', async () => {
    const claim = held({ spec: { volumeName: 'volume-9' } });
    expect((await reading(claim, prime(), other)).world.claimVolume).toEqual(other);
    expect((await reading(claim, other)).world.claimVolume).toEqual(other);
  });
});
