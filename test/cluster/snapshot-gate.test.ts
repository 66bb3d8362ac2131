import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { claimFrom } from '../../tools/csi-stand-in/objects.ts';
import { guarded, isServed, needs } from './case-needs.ts';
import { withoutPolicy, writer } from './case-snapshot-policies.ts';
import { ask, bytesIn, fieldSource, grantFor, linkSource, linkTo, makeSource } from './case-snapshot-sources.ts';
import { expectNothingMade, expectRestored, untilSaid } from './case-snapshot-waits.ts';
import { driver, runSnapshots } from './case-snapshots.ts';
import { untilEvents } from './case-waits.ts';

const crossing = 'crossing.csi.test';
const cluster = runSnapshots({
  drivers: [{ name: driver }, { name: crossing, crossesNamespaces: true }],
  featureGates: { CrossNamespaceVolumeDataSource: true },
});
const client = () => cluster.parts().client;

// A cluster that was given is used as it is, with the gates that it has.
const isGiven = Boolean(process.env.LONGSHORE_KUBECONFIG);
const whereChanged = isGiven ? describe.skip : needs('mutating admission').describe;
const whereUnchanged = isGiven ? describe.skip : needs('unchanged claims').describe;

whereChanged('where the gate for namespaces is on, and claims are changed,', () => {
  test('Longshore populates, and the provisioner keeps out of it', async () => {
    const source = await makeSource(cluster, { className: crossing });
    await client().create(grantFor(source));
    const claim = await ask(cluster, source, { way: 'field', className: crossing });
    await expectRestored(cluster, source, claim);
  });
});

whereUnchanged('where the gate for namespaces is on, without the mutating policy,', () => {
  beforeAll(async () => {
    if (!isServed) return;
    const writes = writer(await readFile(cluster.parts().kubeconfig, 'utf8'));
    await withoutPolicy(client(), 'Mutating', 'keep-references-to-snapshots', async () => {
      const probe = claimFrom(fieldSource('prod'), { namespace: 'default', name: 'probe', className: 'none' });
      return (await writes.create(probe, 'All')).spec.dataSourceRef?.kind === 'VolumeSnapshot';
    });
  });

  test('the work is that of the provisioner, and Longshore makes nothing', async () => {
    const source = await makeSource(cluster, { className: crossing });
    const asked = { namespace: source.test, name: 'by-field', className: crossing };
    const claim = await client().create(claimFrom(fieldSource(source.prod), asked));
    expect((await untilSaid(client(), claim, 'NotBound')).status).toBe('False');
    await untilEvents(client(), claim, 'ProvisioningFailed');
    await expectNothingMade(cluster, claim);
    await client().create(grantFor(source));
    expect(await bytesIn(cluster, claim)).toEqual(source.bytes);
    expect((await untilSaid(client(), claim, 'LeftToProvisioner')).status).toBe('Unknown');
    expect(cluster.log().filter((line) => line.includes(`populate-${claim.metadata.uid}`))).toEqual([]);
    expect(
      cluster.log().filter((line) => line.includes(`${source.test}/by-field`) && line.includes('opulating')),
    ).toEqual([]);
  });

  test('a link is populated by Longshore all the same', async () => {
    const source = await makeSource(cluster);
    await client().create(grantFor(source));
    await client().create(linkTo(source, { namespace: source.prod }));
    const claim = guarded(claimFrom(linkSource, { namespace: source.test, name: 'by-link', className: driver }));
    await expectRestored(cluster, source, await client().create(claim));
  });
});
