import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from '../support/bare-environment.ts';
import type { TestStack } from '../support/deployed-stack.ts';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of `longshore` as a process, as an operator of the deployed stack who may do everything. */
export async function longshore(
  { localAws, kubeconfigPath, stage }: TestStack,
  args: string[],
  input = '',
): Promise<Ended> {
  const env = bareEnvironment({ ...localAws.environment, KUBECONFIG: kubeconfigPath, LONGSHORE_STAGE: stage });
  const child = spawn(process.execPath, [main, ...args], { env, stdio: 'pipe' });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, stdout, stderr };
}
