import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import { secretName } from '../../../tools/local/kubeconfig-secrets.ts';
import { clusterName } from '../../../tools/local/local-stack.ts';
import type { ClusterClient } from '../../support/cluster-client.ts';
import type { TestStack } from '../../support/deployed-stack.ts';
import { until } from '../../support/patience.ts';

interface Review extends ClusterObject {
  spec: { token: string };
  status?: { authenticated?: boolean };
}

/** Waits until the server does not believe any more what a function has; it remembers for some seconds whom it knew. */
export async function untilRefused(client: ClusterClient, deployed: TestStack, functionName: string): Promise<void> {
  const token = await storedToken(deployed, functionName);
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: { name: '' } };
  await until(`${functionName} is refused`, async () => {
    const { status } = await client.create<Review>({ ...review, spec: { token } });
    return status?.authenticated !== true;
  });
}

async function storedToken({ settings, stage }: TestStack, functionName: string): Promise<string> {
  const client = new SecretsManagerClient(settings);
  try {
    const SecretId = secretName(stage, clusterName, functionName);
    const { SecretString = '{}' } = await client.send(new GetSecretValueCommand({ SecretId }));
    return JSON.parse(SecretString).users[0].user.token;
  } finally {
    client.destroy();
  }
}
