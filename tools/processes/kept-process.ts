import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { compileCache } from './compile-cache.ts';
import type { KeptProgram } from './keeper.ts';

const keeperPath = fileURLToPath(new URL('./keeper.ts', import.meta.url));

export interface KeptProcess {
  /** The reason why the program ended by itself, or undefined while it runs. */
  ended(): string | undefined;
  /** Ends the program with all that it started and removes its folder. */
  stop(): Promise<void>;
}

/** Starts a program that ends when this process does, however this process ends. */
export function startKept(program: KeptProgram): KeptProcess {
  const log = openSync(program.logPath, 'a');
  const keeper = spawn(process.execPath, [keeperPath, JSON.stringify(program)], {
    // Detached, so that Ctrl-C reaches only this process, and the keeper can clean up.
    detached: true,
    env: compileCache(),
    stdio: ['pipe', 'pipe', log],
  }) as ChildProcess & { stdin: Writable; stdout: Readable };
  closeSync(log);

  let ended: string | undefined;
  createInterface({ input: keeper.stdout }).once('line', (line) => {
    ended = line;
  });
  const gone = new Promise<void>((resolve) => {
    const settle = (): void => {
      ended ??= 'its keeper ended';
      resolve();
    };
    keeper.once('exit', settle);
    keeper.once('error', settle);
  });
  keeper.stdin.on('error', () => {
    // The keeper is gone, which `gone` reports.
  });
  // A caller that forgets to stop must still be able to exit, and its exit is what ends the program.
  keeper.unref();
  for (const stream of [keeper.stdin, keeper.stdout]) if ('unref' in stream) (stream as { unref(): void }).unref();

  return {
    ended: () => ended,
    stop: async () => {
      keeper.ref();
      keeper.stdin.end();
      await gone;
    },
  };
}

/** The last lines of a log, for the message of an error. */
export async function tailOf(logPath: string, lines = 20): Promise<string> {
  const text = await readFile(logPath, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}
