import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { claimFrom } from '../../tools/csi-stand-in/objects.ts';
import { grantFor, linkSource, linkTo, makeSource, type Source } from './case-snapshot-sources.ts';
import { makeFree, makeFreeNow } from './case-snapshot-strays.ts';
import { copiesOf, dataPopulated, untilClean, untilSaid } from './case-snapshot-waits.ts';
import { driver, runSnapshots, volumeOf } from './case-snapshots.ts';
import { untilBound } from './case-waits.ts';

const cluster = runSnapshots();
const client = () => cluster.parts().client;
const standIn = () => cluster.parts().standIn;

/** A selector of one's own stays, and this one meets every volume. */
async function askUnguarded(source: Source, className: string): Promise<Claim> {
  await client().create(linkTo(source, { namespace: source.prod }));
  const selector = { matchExpressions: [{ key: 'none', operator: 'DoesNotExist' }] };
  const claim = claimFrom(linkSource, { namespace: source.test, name: 'unguarded', className });
  return client().create({ ...claim, spec: { ...claim.spec, ...{ selector } } });
}

describe('a claim that has a volume of somebody else', () => {
  test('which came in the last moment never says that its data is there, and the work for it is taken back', async () => {
    const source = await makeSource(cluster);
    await client().create(grantFor(source));
    const { className, volume } = await makeFree(cluster, { policy: 'Retain', wasProvisioned: false });
    standIn().hanging(driver, true);
    const claim = await askUnguarded(source, className);
    const { prime } = copiesOf(claim);
    await client().until(prime);
    await cluster.away(async () => {
      standIn().hanging(driver, false);
      await client().until<Claim>(prime, ({ status }) => status?.phase === 'Bound');
      await client().create(volume);
      await client().until<Volume>(volume, ({ status }) => status?.phase === 'Available');
      await client().annotate(claim, { 'example.com/look': 'again' });
      await untilBound(client(), claim);
    });
    expect((await untilSaid(client(), claim, 'BoundToOtherVolume')).status).toBe('Unknown');
    await untilClean(cluster, claim);
    expect(readFileSync(join(standIn().directoryOf(volume), 'file'), 'utf8')).toBe("somebody else's");
  });

  test('since it names it says that nothing is known of its data, and nothing is made for it', async () => {
    const source = await makeSource(cluster);
    await client().create(grantFor(source));
    await client().create(linkTo(source, { namespace: source.prod }));
    const { className, volume } = await makeFreeNow(cluster, { policy: 'Retain', wasProvisioned: false });
    const claim = claimFrom(linkSource, { namespace: source.test, name: 'named', className });
    await client().create({ ...claim, spec: { ...claim.spec, volumeName: volume.metadata.name } });
    const bound = await untilBound(client(), claim);
    expect((await untilSaid(client(), claim, 'BoundToOtherVolume')).status).toBe('Unknown');
    await untilClean(cluster, bound);
    expect((await volumeOf(client(), claim)).spec.persistentVolumeReclaimPolicy).toBe('Retain');
  });

  test('since no policy gave it the selector never says that its data is there', async () => {
    const source = await makeSource(cluster);
    const { className, volume } = await makeFreeNow(cluster, { policy: 'Retain', wasProvisioned: true });
    const claim = await askUnguarded(source, className);
    await untilBound(client(), claim);
    const said = await untilSaid(client(), claim, 'BoundToOtherVolume');
    expect(said.status).toBe('Unknown');
    expect(said.message).toContain('create another claim without a selector');
    await client().create(grantFor(source));
    await cluster.resync();
    const found = await client().until<Claim>(claim);
    expect([found.spec.volumeName, dataPopulated(found)?.status]).toEqual([volume.metadata.name, 'Unknown']);
  });
});
