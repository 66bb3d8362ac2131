import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../tools/processes/free-port.ts';
import { startKept, tailOf } from '../../../tools/processes/kept-process.ts';
import { nowMs } from '../clock.ts';

/** A message as it arrived at the stand-in. */
export interface Arrived {
  at: number;
  groupId: string;
  body: string;
}

export interface QueueStandIn {
  readonly url: string;
  count(): Promise<number>;
  /** The messages from this position on, in the order in which they arrived. */
  records(from: number): Promise<Arrived[]>;
  /** Forgets all messages, and from now on answers after so long. */
  reset(roundTripMs: number): Promise<void>;
  stop(): Promise<void>;
}

const pollMs = 20;
const startTimeoutMs = 10_000;

export async function startQueue(): Promise<QueueStandIn> {
  const folder = mkdtempSync(join(tmpdir(), 'longshore-bench-queue-'));
  const logPath = join(folder, 'log');
  const port = await freePort();
  const program = fileURLToPath(new URL('./queue-process.ts', import.meta.url));
  const args = [program, String(port)];
  const kept = startKept({ command: process.execPath, args, environment: {}, folder, logPath });
  const url = `http://127.0.0.1:${port}`;
  const ask = async (path: string) => {
    const answer = await fetch(`${url}/control/${path}`);
    if (!answer.ok) throw new Error(`the queue's stand-in answered ${answer.status}: ${await answer.text()}`);
    return answer.text();
  };
  const deadline = nowMs() + startTimeoutMs;
  while ((await ask('count').catch(() => undefined)) === undefined) {
    if (kept.ended() !== undefined || nowMs() > deadline) {
      const tail = await tailOf(logPath);
      await kept.stop();
      throw new Error(`the queue's stand-in did not start (${kept.ended() ?? 'no answer'}):\n${tail}`);
    }
    await pause(pollMs);
  }
  return {
    url,
    count: async () => Number(await ask('count')),
    records: async (from) => JSON.parse(await ask(`records?from=${from}`)) as Arrived[],
    reset: async (roundTripMs) => void (await ask(`reset?roundTripMs=${roundTripMs}`)),
    stop: () => kept.stop(),
  };
}
