import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { installAwsCli } from '../../../tools/aws-cli/install.ts';
import { findKubectl } from '../../../tools/control-plane/binaries.ts';
import { clusterName, type LocalStack } from '../../../tools/local/local-stack.ts';
import { compileCache } from '../../../tools/processes/compile-cache.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const progress = (line: string) => console.log(line);

export interface Said {
  status: number | null;
  /** All that was printed, in its order. */
  output: string;
}

/** Somebody at a shell, in a folder with this repository in it, who may do everything in the cluster and in AWS. */
export interface Operator {
  run(script: string): Promise<Said>;
  /** The same, where nothing may fail. */
  succeed(script: string): Promise<string>;
  /** Sets a variable of the shell. */
  set(name: string, value: string): void;
  /** Where the shell is. */
  folder: string;
}

/** The programs that a runbook calls, by the names by which it calls them. */
async function programs(): Promise<Record<string, string>> {
  const node = quoted(process.execPath);
  const [kubectl, python] = [await findKubectl({ progress }), await installAwsCli(progress)];
  return {
    longshore: `${node} ${quoted(join(repository, 'cli', 'main.ts'))}`,
    npx: `${node} ${quoted(fileURLToPath(new URL('./npx.ts', import.meta.url)))}`,
    kubectl: quoted(kubectl),
    aws: `${quoted(python)} -m awscli`,
  };
}

export async function operatorOf({ localAws, controlPlane, deployment }: LocalStack): Promise<Operator> {
  const folder = join(localAws.folder, 'bin');
  await mkdir(folder, { recursive: true });
  for (const [name, command] of Object.entries(await programs())) {
    await writeFile(join(folder, name), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  }
  const clusters = join(localAws.folder, 'clusters.json');
  await writeFile(clusters, deployment.parameters.clusters ?? '');
  const { clusters: _, ...others } = deployment.parameters;
  const variables: Record<string, string> = {
    ...localAws.environment,
    ...compileCache(),
    PATH: [folder, dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    HOME: localAws.folder,
    TMPDIR: localAws.folder,
    AWS_PAGER: '',
    KUBECONFIG: controlPlane.kubeconfigPath,
    LONGSHORE_STAGE: deployment.stage,
    CLUSTER: clusterName,
    CLUSTERS: clusters,
    PARAMETERS: Object.entries(others)
      .map(([name, value]) => `--param ${name}=${value}`)
      .join(' '),
  };
  const operator: Operator = {
    folder: repository,
    set: (name, value) => {
      variables[name] = value;
    },
    run: (script) => runInShell(script, operator.folder, variables),
    succeed: async (script) => {
      const { status, output } = await operator.run(script);
      if (status !== 0) throw new Error(`this ended with ${status}:\n${script}\n${output}`);
      return output;
    },
  };
  return operator;
}

async function runInShell(script: string, cwd: string, env: Record<string, string>): Promise<Said> {
  // What goes wrong ends it, as it would stop whoever types the lines; and both streams are one, as on a terminal.
  const shell = spawn('/bin/sh', ['-euc', `exec 2>&1\n${script}`], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    shell.once('error', reject);
    shell.once('close', resolve);
  });
  const [output, status] = await Promise.all([text(shell.stdout), ended]);
  return { status, output };
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
