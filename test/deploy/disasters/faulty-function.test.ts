import { expect, test } from '@jest/globals';
import type { TransferRequest } from '../../../lib/kubernetes/objects.ts';
import { startForwarder } from '../../../tools/local/forwarding.ts';
import { consent } from '../../support/cluster-client.ts';
import { untilAllQueuesAreEmpty, untilDeadLetter, withOneDelivery } from './case-dead-letters.ts';
import { faultyRelease } from './case-faulty-release.ts';
import { ownStack } from './case-own-stack.ts';
import { Runbook } from './case-runbook.ts';
import { transferOf, untilMoved } from './case-transfer.ts';

const own = ownStack({ capabilities: 'transfers' });
const functionName = 'match-transfer';

test('what a faulty release could not do is kept as dead letters, and done when it is mended and they are redriven', async () => {
  const [client, deployed, operator] = [own.client(), own.deployed(), await own.operator()];
  const transfers = [await transferOf(client, 'db1'), await transferOf(client, 'db2')];
  const good = operator.folder;
  operator.folder = await faultyRelease(deployed.localAws.folder);
  const deploy = 'npx serverless deploy --stage "$LONGSHORE_STAGE" --region "$AWS_REGION"';
  await operator.succeed(`${deploy} --param clusters="$(cat "$CLUSTERS")" $PARAMETERS`);
  operator.folder = good;
  // The local AWS ends the runs of a function that is deployed.
  const forward = () => startForwarder(own.local().localAws, deployed.stack);
  await forward();
  await withOneDelivery(deployed, functionName, async () => {
    for (const transfer of transfers) await consent(client, transfer);
    await untilDeadLetter(deployed, functionName, transfers.length);
  });
  for (const { request } of transfers) {
    expect((await client.get<TransferRequest>(request))?.status?.complete).toBeUndefined();
  }

  const runbook = new Runbook('a-function-is-faulty', operator);
  await runbook.follow();
  await runbook.follow();
  await forward();
  await runbook.follow();
  for (const transfer of transfers) await untilMoved(client, transfer);
  await untilAllQueuesAreEmpty(deployed);
  await runbook.follow();
  runbook.over();
});
