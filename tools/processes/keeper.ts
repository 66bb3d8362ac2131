/**
 * Runs one program and ends it, with all that it started, when the process that requested it is gone.
 *
 * The requesting process holds the other end of our standard input. The operating system closes that end however the
 * process ends, SIGKILL included, so no signal handler is needed anywhere and nothing can be left running.
 */
import { spawn } from 'node:child_process';
import { openSync, rmSync } from 'node:fs';

export interface KeptProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Record<string, string>;
  /** The program's working folder. It is removed at the end. */
  readonly folder: string;
  readonly logPath: string;
}

const program: KeptProgram = JSON.parse(process.argv[2] ?? '');
const log = openSync(program.logPath, 'a');

// A separate process group: everything that the program starts belongs to it and can be ended together.
const child = spawn(program.command, program.args, {
  cwd: program.folder,
  env: program.environment,
  stdio: ['ignore', log, log],
  detached: true,
});
child.once('error', (error) => report(error.message));
child.once('exit', (code, signal) => report(`exit ${signal ?? code}`));

process.stdin.resume();
process.stdin.once('close', end);
process.stdout.on('error', () => {
  // The reader of our reports is gone; the end of standard input follows.
});

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

function end(): void {
  // Nothing in the folder outlives the program, so there is nothing to save after a gentler signal.
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) cleanUp();
  else child.once('exit', cleanUp);
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The whole group has ended already.
  }
}

function cleanUp(): void {
  rmSync(program.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  process.exit(0);
}
