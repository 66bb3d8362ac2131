import { afterAll, expect, test } from '@jest/globals';
import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { ClusterClient, consent, makeTransfer, untilComplete } from '../support/cluster-client.ts';
import { deployedStack } from '../support/deployed-stack.ts';
import { lengthOf } from '../support/soak.ts';

const transfers = lengthOf({ gate: 10, soak: 100 });
/** The client makes a few calls at a time, as people would. */
const groupSize = 10;
const deployed = deployedStack();
const client = new ClusterClient(deployed.kubeconfigPath);

afterAll(() => {
  deployed.sqs.destroy();
  deployed.lambda.destroy();
});

test(`${transfers} transfers that are asked for at once all complete, each with its volume and its policy`, async () => {
  const made = await inGroups(Array.from({ length: transfers }), () => makeTransfer(client));
  await Promise.all(made.map((transfer) => consent(client, transfer)));
  const policies = await inGroups(made, async (transfer) => {
    await untilComplete(client, transfer);
    await client.untilGone(transfer.source);
    const volume = (await client.get(transfer.volume)) as Volume;
    const target = (await client.get<Claim>(transfer.target)) as Claim;
    expect(volume.spec.claimRef?.uid).toBe(target.metadata.uid);
    expect([volume.status?.phase, target.status?.phase]).toEqual(['Bound', 'Bound']);
    return volume.spec.persistentVolumeReclaimPolicy;
  });
  expect(policies).toEqual(Array.from({ length: transfers }, () => 'Delete'));
});

async function inGroups<T, R>(items: T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let index = 0; index < items.length; index += groupSize) {
    results.push(...(await Promise.all(items.slice(index, index + groupSize).map(act))));
  }
  return results;
}
