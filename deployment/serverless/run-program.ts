import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Record<string, string>;
  readonly progress: (line: string) => void;
}

const keptLines = 40;
const timeoutMs = 5 * 60_000;

/** Runs a program, reports each line it prints as progress, and throws the last of them if it fails. */
export async function runProgram({ command, args, cwd, environment, progress }: Program): Promise<void> {
  const child = spawn(command, args, {
    cwd,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  // An interrupted run must not leave the program behind.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const last: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      if (line.trim() === '') return;
      last.push(line);
      if (last.length > keptLines) last.shift();
      progress(line.trim());
    });
  }
  const outcome = await new Promise<string | number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  }).finally(() => process.off('exit', kill));
  if (outcome === 0) return;
  throw new Error(`${[command, ...args].join(' ')} ended with ${outcome}:\n${last.join('\n')}`);
}
