import { runServerless } from '../../deployment/serverless/run-serverless.ts';
import type { LocalAws } from './local-aws.ts';
import { type DeployedStack, letPlainHttpIn, namedResources, reserveConcurrency, stackResources } from './stack.ts';

export interface Deployment {
  readonly localAws: Pick<LocalAws, 'endpoint' | 'region' | 'credentials' | 'environment' | 'folder'>;
  readonly stage: string;
  /** The parameters of serverless.yml. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly progress?: (line: string) => void;
  /** The folder that contains serverless.yml and functions/; by default this repository. */
  readonly root?: string;
}

export type { DeployedQueue, DeployedStack } from './stack.ts';

/** Deploys serverless.yml as to the real AWS: with `serverless deploy`. */
export async function deployStack(deployment: Deployment): Promise<DeployedStack> {
  await serverless('deploy', deployment);
  const { endpoint, region, credentials } = deployment.localAws;
  const client = { endpoint, region, credentials: { ...credentials } };
  const stackName = `longshore-${deployment.stage}`;
  await reserveConcurrency(client, stackName);
  await letPlainHttpIn(client, stackName);
  return { stackName, ...namedResources(stackName, await stackResources(client, stackName)) };
}

export async function removeStack(deployment: Deployment): Promise<void> {
  await serverless('remove', deployment);
}

async function serverless(command: 'deploy' | 'remove', deployment: Deployment): Promise<void> {
  const { localAws, stage, parameters, progress, root } = deployment;
  const { region, environment, folder: within } = localAws;
  await runServerless({ command, stage, region, parameters, environment, within, progress, root }, async () => {});
}
