import { describe, expect, test } from '@jest/globals';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { snapshotClass } from '../../tools/csi-stand-in/objects.ts';
import { ask } from './case-snapshot-sources.ts';
import {
  dataPopulated,
  expectNothingMade,
  expectRestored,
  expectUnharmed,
  untilClean,
  untilSaid,
} from './case-snapshot-waits.ts';
import { classWithListSecret, makeGranted } from './case-snapshot-work.ts';
import { driver, runSnapshots } from './case-snapshots.ts';

const [unlisted, sizeless, secretive] = ['unlisted.csi.test', 'sizeless.csi.test', 'secretive.csi.test'] as const;
const cluster = runSnapshots({
  drivers: [
    { name: driver },
    { name: unlisted, listsSnapshots: false },
    { name: sizeless, listsSnapshots: false, unknownSize: 'zero' },
    { name: secretive, demandsListSecret: true },
  ],
});
const client = () => cluster.parts().client;

describe('a driver that cannot list snapshots', () => {
  test.each([unlisted, sizeless])(
    'restores from a copy all the same, and its size is looked at: %s',
    async (className) => {
      const source = await makeGranted(cluster, { className, storage: '2Gi' });
      const small = await ask(cluster, source, { className, name: 'small', way: 'field' });
      await untilSaid(client(), small, 'ClaimTooSmall');
      await expectNothingMade(cluster, small);
      await expectRestored(cluster, source, await ask(cluster, source, { className, storage: '2Gi' }));
      await client().delete(small);
    },
  );
});

describe('a class of snapshots', () => {
  test('whose Secret for listing is missing is waited for, and told of', async () => {
    await client().create(classWithListSecret(secretive));
    const source = await makeGranted(cluster, { className: secretive, snapshotClassName: 'secret' });
    const claim = await ask(cluster, source, { className: secretive });
    expect((await untilSaid(client(), claim, 'CopyNotReady')).message).toContain('Secret default/list is not there');
    expect(dataPopulated(await client().until<Claim>(claim))?.status).toBe('False');
    await client().create({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'list' } });
    await expectRestored(cluster, source, claim);
    await expectUnharmed(cluster, source, secretive);
  });

  test.each(['Delete', 'Retain'] as const)('of policy %s makes snapshots that outlive their copies', async (policy) => {
    await client().create(snapshotClass({ name: `of-${policy.toLowerCase()}`, driver, policy }));
    const source = await makeGranted(cluster, { snapshotClassName: `of-${policy.toLowerCase()}` });
    const claim = await ask(cluster, source);
    await expectRestored(cluster, source, claim);
    await client().delete(claim);
    await client().untilGone(claim);
    await untilClean(cluster, claim);
    await expectUnharmed(cluster, source);
  });
});
