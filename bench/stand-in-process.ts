import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../tools/processes/free-port.ts';
import { startKept, tailOf } from '../tools/processes/kept-process.ts';
import { nowMs } from './forward/clock.ts';

export interface StandInProcess {
  url: string;
  /** Its response at this path; throws on an error status. */
  ask(path: string): Promise<string>;
  stop(): Promise<void>;
}

const pollMs = 20;
const startTimeoutMs = 10_000;

/** Starts a benchmark's server, whose first argument is the port that it listens on, and waits until it responds. */
export async function startStandIn(program: string, args: string[], readyPath: string): Promise<StandInProcess> {
  const name = basename(program, '.ts');
  const folder = mkdtempSync(join(tmpdir(), `longshore-bench-${name}-`));
  const logPath = join(folder, 'log');
  const port = await freePort();
  const all = [program, String(port), ...args];
  const kept = startKept({ command: process.execPath, args: all, environment: {}, folder, logPath });
  const url = `http://127.0.0.1:${port}`;
  const ask = async (path: string) => {
    const answer = await fetch(`${url}${path}`);
    if (!answer.ok) throw new Error(`${name} answered ${answer.status}: ${await answer.text()}`);
    return answer.text();
  };
  const deadline = nowMs() + startTimeoutMs;
  while ((await ask(readyPath).catch(() => undefined)) === undefined) {
    if (kept.ended() !== undefined || nowMs() > deadline) {
      const tail = await tailOf(logPath);
      await kept.stop();
      throw new Error(`${name} did not start (${kept.ended() ?? 'no answer'}):\n${tail}`);
    }
    await pause(pollMs);
  }
  return { url, ask, stop: () => kept.stop() };
}
