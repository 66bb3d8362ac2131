import { GetParameterCommand, SSMClient, type SSMClientConfig } from '@aws-sdk/client-ssm';

/** Apart from other stores, as the client for this one is a fifth of a bundle, and is loaded where there are parameters. */
export async function readParameter(name: string, settings: SSMClientConfig): Promise<string | undefined> {
  const client = new SSMClient(settings);
  const asking = client.send(new GetParameterCommand({ Name: name, WithDecryption: true }));
  return (await asking.finally(() => client.destroy())).Parameter?.Value;
}
