import { afterAll, beforeAll } from '@jest/globals';
import { type LocalStack, startLocalStack } from '../../../tools/local/local-stack.ts';
import { ClusterClient } from '../../support/cluster-client.ts';
import { type TestStack, testStackOf } from '../../support/deployed-stack.ts';
import { operatorOf } from './case-operator.ts';

/** A cluster, an AWS and a deployment for one disaster: what is destroyed here is missed by nobody else. */
export function ownStack(parameters: Readonly<Record<string, string>> = {}) {
  let started: { local: LocalStack; deployed: TestStack } | undefined;
  const own = () => {
    if (!started) throw new Error('the local stack has not started');
    return started;
  };
  beforeAll(async () => {
    const local = await startLocalStack({ own: true, parameters });
    started = { local, deployed: testStackOf(local) };
  });
  afterAll(async () => {
    for (const client of [started?.deployed.sqs, started?.deployed.lambda]) client?.destroy();
    await started?.local.stop();
  });
  return {
    local: () => own().local,
    deployed: () => own().deployed,
    client: () => new ClusterClient(own().local.controlPlane.kubeconfigPath),
    operator: () => operatorOf(own().local),
  };
}

export type OwnStack = ReturnType<typeof ownStack>;
