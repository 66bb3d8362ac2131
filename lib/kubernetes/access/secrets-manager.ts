import {
  GetSecretValueCommand,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';

/**
 * The client is closed: a cluster that refuses us has its secret read repeatedly, and each read would leave a
 * connection open.
 */
export async function readSecretString(
  name: string,
  settings: SecretsManagerClientConfig,
): Promise<string | undefined> {
  const client = new SecretsManagerClient(settings);
  const asking = client.send(new GetSecretValueCommand({ SecretId: name }));
  return (await asking.finally(() => client.destroy())).SecretString;
}
