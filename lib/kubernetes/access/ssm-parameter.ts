import { GetParameterCommand, SSMClient, type SSMClientConfig } from '@aws-sdk/client-ssm';

/** The client is closed, like that of Secrets Manager. */
export async function readParameter(name: string, settings: SSMClientConfig): Promise<string | undefined> {
  const client = new SSMClient(settings);
  const asking = client.send(new GetParameterCommand({ Name: name, WithDecryption: true }));
  return (await asking.finally(() => client.destroy())).Parameter?.Value;
}
