import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { functionKubeconfig } from '../control-plane/manifests.ts';
import { type Connectable, clientSettings } from '../local-aws/local-aws.ts';

const functions = fileURLToPath(new URL('../../functions', import.meta.url));
const roles = fileURLToPath(new URL('../../manifests/rbac', import.meta.url));

/** The `clusters` parameter of serverless.yml for one cluster whose credentials are stored here. */
export function clustersParameter(stage: string, cluster: string): string {
  const from = `secretsmanager:${secretName(stage, cluster, '{function}')}`;
  return JSON.stringify([{ name: cluster, access: { type: 'kubeconfig', from } }]);
}

export function secretName(stage: string, cluster: string, functionName: string): string {
  return `longshore/${stage}/clusters/${cluster}/${functionName}`;
}

/**
 * Stores a kubeconfig for each function, with the rights of that function alone, where only that function may read it.
 */
export async function storeKubeconfigs(
  localAws: Connectable,
  kubeconfigPath: string,
  stage: string,
  cluster: string,
): Promise<void> {
  const client = new SecretsManagerClient(clientSettings(localAws));
  try {
    const known = await readdir(roles);
    for (const file of await readdir(functions)) {
      const functionName = basename(file, '.ts');
      // Not every function calls a cluster.
      if (!known.includes(`${functionName}.yaml`)) continue;
      const SecretString = await functionKubeconfig(kubeconfigPath, functionName);
      await client.send(new CreateSecretCommand({ Name: secretName(stage, cluster, functionName), SecretString }));
    }
  } finally {
    client.destroy();
  }
}
