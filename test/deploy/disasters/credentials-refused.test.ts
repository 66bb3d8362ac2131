import { test } from '@jest/globals';
import { applyManifests } from '../../../tools/control-plane/manifests.ts';
import { consent } from '../../support/cluster-client.ts';
import { untilAllQueuesAreEmpty, untilDeadLetter, withOneDelivery } from './case-dead-letters.ts';
import { ownStack } from './case-own-stack.ts';
import { Runbook } from './case-runbook.ts';
import { untilRefused } from './case-tokens.ts';
import { transferOf, untilMoved } from './case-transfer.ts';

const own = ownStack();
const functionName = 'match-transfer';

test('when the credentials of a cluster are refused nothing is lost, and all goes on with new ones', async () => {
  const [client, deployed, operator] = [own.client(), own.deployed(), await own.operator()];
  const transfer = await transferOf(client, 'db1');
  await withOneDelivery(deployed, functionName, async () => {
    await operator.succeed('kubectl -n longshore-system delete serviceaccounts --all');
    await applyManifests(own.local().controlPlane.kubeconfigPath);
    for (const name of [functionName, 'forward']) await untilRefused(client, deployed, name);
    await consent(client, transfer);
    // A forwarder that is refused as well tells nobody; whoever resyncs has credentials of their own.
    await operator.succeed('longshore resync');
    await untilDeadLetter(deployed, functionName);
  });
  const runbook = new Runbook('the-credentials-of-a-cluster-are-refused', operator);
  await runbook.follow();
  await runbook.follow();
  await runbook.follow();
  await untilMoved(client, transfer);
  await untilAllQueuesAreEmpty(deployed);
  await runbook.follow();
  runbook.over();
});
