import { execFile } from 'node:child_process';
import { NoAccess } from '../../lib/kubernetes/access/no-access.ts';
import type { ExecSettings } from './exec-settings.ts';

const maxMs = 60_000;
const maxBytes = 1024 * 1024;
const maxShown = 500;

/** Runs the program of a kubeconfig, and returns what it prints. What it says of its failure is repeated. */
export function runProgram(
  { command, args, environment, installHint }: ExecSettings,
  more: Readonly<Record<string, string>>,
): Promise<string> {
  const options = { env: { ...process.env, ...environment, ...more }, timeout: maxMs, maxBuffer: maxBytes };
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const said = stderr.trim().slice(-maxShown);
      const problem = `${command}, which the kubeconfig names for credentials, ${problemOf(error)}`;
      reject(
        new NoAccess(new Error([problem, said, error.code === 'ENOENT' && installHint].filter(Boolean).join(': '))),
      );
    });
    // It must not wait for what nobody will type. A program that has ended already does not mind.
    child.stdin?.on('error', () => {});
    child.stdin?.end();
  });
}

function problemOf(error: Error & { code?: unknown; killed?: boolean; signal?: unknown }): string {
  if (error.code === 'ENOENT') return 'cannot be found';
  if (error.code === 'EACCES') return 'may not be run';
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'printed far too much';
  if (error.killed) return `did not end in ${maxMs / 1_000} s`;
  return typeof error.code === 'number' ? `failed with exit code ${error.code}` : `was ended by ${error.signal}`;
}
