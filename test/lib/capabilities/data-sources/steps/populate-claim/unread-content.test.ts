import { describe, expect, test } from '@jest/globals';
import { populateClaim } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/step.ts';
import { linkedClaim, linkGrant, snapshotLink } from '../../../../../support/builders-of-snapshots.ts';
import { claimKey } from '../../populate-play.ts';
import { paths, reading, recording, source } from '../../populate-reading.ts';
import * as stage from '../../populate-stages.ts';
import { conditionOf, settle } from '../../populate-table.ts';

const { held, now, prime, stages } = stage;

describe('without a grant the content', () => {
  const ungranted = source.filter((object) => object.kind !== 'ReferenceGrant');

  test.each([
    ['before anything is made', [linkedClaim()]],
    ['when the copies are made', [held(), stage.contentCopy(), stage.snapshotCopy(), prime()]],
    ['with a grant for others', [linkedClaim(), linkGrant({ spec: { from: [] } })]],
  ])('is not read %s', async (_, objects) => {
    const { asked, world } = await reading(...objects, ...ungranted);
    expect(asked).not.toContain(paths.content);
    expect(world.content).toBeUndefined();
  });

  test('can fail to be read, and the claim says that there is no grant', async () => {
    const cluster = recording(linkedClaim(), ...ungranted);
    const { get } = cluster;
    cluster.get = (name) => (name.name === 'content-1' ? Promise.reject(new Error('forbidden')) : get(name));
    const { world } = settle(await populateClaim.read(cluster, claimKey, now));
    expect(conditionOf(world.claim)?.reason).toBe('NotGranted');
  });

  test('is read where none is needed', async () => {
    const link = { ...snapshotLink(), spec: { source: { name: 'backup' } } };
    const own = stages.asked.snapshot;
    const snapshot = { ...own, metadata: { ...own?.metadata, namespace: 'test', name: 'backup' } } as never;
    expect((await reading(linkedClaim(), link, snapshot)).asked).toContain(paths.content);
  });
});
