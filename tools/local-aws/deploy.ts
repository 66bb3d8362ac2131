import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../cache/cache-folder.ts';
import type { LocalAws } from './local-aws.ts';
import { runReporting } from './run-reporting.ts';
import { type DeployedStack, letPlainHttpIn, namedResources, reserveConcurrency, stackResources } from './stack.ts';

export interface Deployment {
  readonly localAws: LocalAws;
  readonly stage: string;
  /** The parameters of serverless.yml. Removing needs them too, as serverless.yml is read as a whole. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly progress?: (line: string) => void;
  /** The folder that holds serverless.yml and functions/; this repository unless told. */
  readonly root?: string;
}

export type { DeployedQueue, DeployedStack } from './stack.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const serverlessPath = fileURLToPath(import.meta.resolve('serverless/bin/serverless.js'));
const linked = ['functions', 'lib', 'node_modules', 'package.json', 'tools', 'tsconfig.json'];

/** Deploys serverless.yml as it is deployed to the real AWS: with `serverless deploy`. */
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
  const { localAws, stage, progress, root = repository } = deployment;
  const parameters = Object.entries(deployment.parameters).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
  // It writes beside serverless.yml, so each run gets a folder of its own in which all but that file is a link.
  const folder = await mkdtemp(join(localAws.folder, 'serverless-'));
  try {
    await cp(join(root, 'serverless.yml'), join(folder, 'serverless.yml'));
    for (const name of linked) await symlink(join(root, name), join(folder, name));
    await runReporting({
      command: process.execPath,
      args: [serverlessPath, command, '--stage', stage, '--region', localAws.region, ...parameters],
      cwd: folder,
      environment: await serverlessEnvironment(localAws, folder),
      progress: progress ?? (() => {}),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Made from nothing, so that neither the user's AWS settings nor a proxy reaches it, nor does it write into their home. */
async function serverlessEnvironment(localAws: LocalAws, folder: string): Promise<Record<string, string>> {
  const home = join(folder, 'home');
  await mkdir(home);
  return {
    ...localAws.environment,
    PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    HOME: home,
    TMPDIR: folder,
    SLS_SCHEMA_CACHE_BASE_DIR: join(cacheFolder(), 'serverless'),
    // It asks every five seconds whether the stack is done, which is most of a deployment's time where all is local.
    SLS_AWS_MONITORING_FREQUENCY: '200',
  };
}
