import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../../tools/cache/cache-folder.ts';
import { runProgram } from './run-program.ts';

export interface ServerlessRun {
  readonly command: 'deploy' | 'package' | 'remove';
  readonly stage: string;
  readonly region: string;
  /** The parameters of serverless.yml. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Settings and credentials for AWS. */
  readonly environment: Readonly<Record<string, string>>;
  /** The parent of the run's temporary folder. */
  readonly within: string;
  readonly progress?: ((line: string) => void) | undefined;
  /** The folder that holds serverless.yml and functions/; by default this repository. */
  readonly root?: string | undefined;
}

const repository = fileURLToPath(new URL('../..', import.meta.url));
const serverlessPath = fileURLToPath(import.meta.resolve('serverless/bin/serverless.js'));
const linked = ['deployment', 'functions', 'lib', 'node_modules', 'package.json', 'tools', 'tsconfig.json'];

/** Runs `serverless` as an operator does, and passes its temporary folder to `then` before removing it. */
export async function runServerless<T>(run: ServerlessRun, then: (folder: string) => Promise<T>): Promise<T> {
  const { command, stage, region, within, progress, root = repository } = run;
  const parameters = Object.entries(run.parameters).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
  // It writes beside serverless.yml, so each run gets its own folder in which everything but that file is a link.
  const folder = await mkdtemp(join(within, 'serverless-'));
  try {
    await cp(join(root, 'serverless.yml'), join(folder, 'serverless.yml'));
    for (const name of linked) await symlink(join(root, name), join(folder, name));
    await runProgram({
      command: process.execPath,
      args: [serverlessPath, command, '--stage', stage, '--region', region, ...parameters],
      cwd: folder,
      environment: { ...(await ownEnvironment(folder)), ...run.environment },
      progress: progress ?? (() => {}),
    });
    return await then(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts empty, so that neither the user's AWS settings nor a proxy apply, and nothing is written to their home. */
async function ownEnvironment(folder: string): Promise<Record<string, string>> {
  const home = join(folder, 'home');
  await mkdir(home);
  return {
    PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    HOME: home,
    TMPDIR: folder,
    SLS_SCHEMA_CACHE_BASE_DIR: join(cacheFolder(), 'serverless'),
    // By default it polls the stack every five seconds, which is most of the time of a local deployment.
    SLS_AWS_MONITORING_FREQUENCY: '200',
    // A quarter of the time of esbuild, which is written in Go, was the collection of garbage that memory has room for.
    GOGC: '400',
  };
}
