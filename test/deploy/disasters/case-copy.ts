import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyNameOf, systemNamespace } from '../../../lib/capabilities/data-sources/names.ts';
import type { Claim, Volume } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import type { Snapshot } from '../../../tools/csi-stand-in/kinds.ts';
import { emptyClaim, provisionedClass, snapshotClass, snapshotOf } from '../../../tools/csi-stand-in/objects.ts';
import { CsiStandIn } from '../../../tools/csi-stand-in/stand-in.ts';
import { driverName } from '../../../tools/local/local-driver.ts';
import type { LocalStack } from '../../../tools/local/local-stack.ts';
import { claimAcross, snapshotGrant } from '../../../tools/local/snapshot-objects.ts';
import type { ClusterClient } from '../../support/cluster-client.ts';

const className = 'directories';

/** A claim of namespace stage for the data of a snapshot in prod, midway: the driver does not answer for its prime claim. */
export async function copyMidway(client: ClusterClient, { driver }: LocalStack) {
  if (!(driver instanceof CsiStandIn)) throw new Error('the cluster has no snapshots');
  await client.create(provisionedClass({ name: className, driver: driverName }));
  await client.create(snapshotClass({ name: className, driver: driverName }));
  const source = await bound(client, await client.create(emptyClaim({ namespace: 'prod', name: 'ledger', className })));
  const bytes = randomBytes(1_000);
  writeFileSync(await fileOf(client, driver, source), bytes);
  const snapshot = await client.create(snapshotOf(source, 'monday', className));
  await client.until<Snapshot>(snapshot, ({ status }) => status?.readyToUse === true);
  driver.hanging(driverName, true);
  await client.create(snapshotGrant({ namespace: 'prod', name: 'monday-to-stage' }, 'stage', 'monday'));
  const place = { namespace: 'prod', name: 'monday' };
  const claim = await client.create(claimAcross(place, { namespace: 'stage', name: 'ledger', className }));
  const { apiVersion, kind } = resources.claim;
  const prime = { apiVersion, kind, metadata: { namespace: systemNamespace, name: copyNameOf(claim) } } as Claim;
  await client.until(prime);
  return {
    prime,
    /** The driver works again. */
    goOn: () => driver.hanging(driverName, false),
    /** The claim is bound, and these are the bytes of its volume. */
    untilPopulated: async () => readFileSync(await fileOf(client, driver, await bound(client, claim))),
    bytes,
  };
}

function bound(client: ClusterClient, claim: Claim): Promise<Claim> {
  return client.until<Claim>(claim, ({ status }) => status?.phase === 'Bound');
}

async function fileOf(client: ClusterClient, driver: CsiStandIn, { spec }: Claim): Promise<string> {
  const { apiVersion, kind } = resources.volume;
  const volume = await client.until({ apiVersion, kind, metadata: { name: spec.volumeName ?? '' } } as Volume);
  return join(driver.directoryOf(volume), 'file');
}
