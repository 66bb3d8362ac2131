import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { DeployedStack } from '../local-aws/deploy.ts';
import { clientSettings, type LocalAws } from '../local-aws/local-aws.ts';
import { patient } from '../processes/patience.ts';
import { ClusterClient } from './cluster-client.ts';
import { readLogs } from './function-logs.ts';
import { transferRequest } from './transfer-objects.ts';

/** Starts a run of the forwarder, like the schedule each minute. */
export async function startForwarder(localAws: LocalAws, stack: DeployedStack): Promise<void> {
  const client = new LambdaClient(clientSettings(localAws));
  try {
    await client.send(new InvokeCommand({ FunctionName: stack.functionNames.forward, InvocationType: 'Event' }));
  } finally {
    client.destroy();
  }
}

const probe = transferRequest({
  name: 'start-probe',
  source: { namespace: 'default', name: 'nothing' },
  target: { namespace: 'default', name: 'nothing-either' },
});

/** Longer than a run of the forwarder, so that its log can be read if it failed. */
const timeoutMs = patient(180_000);

/**
 * A forwarder's log can only be read after its run. So a request that cannot be fulfilled is created: once its
 * condition reports that, messages arrive, and the functions have the credentials that they need.
 */
export async function untilForwarding(kubeconfigPath: string, localAws: LocalAws, stack: DeployedStack): Promise<void> {
  const client = new ClusterClient(kubeconfigPath);
  await client.create(probe);
  try {
    await client.until(probe, ({ status }) => status?.conditions !== undefined, timeoutMs);
  } catch (error) {
    const lines = await readLogs(localAws, Object.values(stack.functionNames));
    const errors = new Set(lines.flatMap((line) => (line.error ? `${line.function}: ${line.error}` : [])));
    throw new Error(['the functions do not react to changes of the cluster', ...errors].join('\n'), { cause: error });
  }
  await client.delete(probe);
}
