import { mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startKept, tailOf } from '../../tools/processes/kept-process.ts';
import type { Contender, Program, Surroundings } from './contenders.ts';

const pollMs = 5;
/** The unit of the times in /proc, the same on every Linux machine that Node supports. */
const tickMs = 10;

/** A running program, as the operating system sees it. */
export interface ForwarderProcess {
  pid: number;
  cpuMs(): Promise<number>;
  memoryMb(): Promise<{ now: number; peak: number }>;
  /** Throws if it has ended by itself, with its last output. */
  requireRunning(): Promise<void>;
  /** Its last output. */
  lastWords(): Promise<string>;
  /** Ends it like a crash, without a chance to clean up. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export async function startForwarder(contender: Contender, surroundings: Surroundings): Promise<ForwarderProcess> {
  return startMeasured({ title: contender.title, ...(await contender.program(surroundings)) });
}

export interface Measured extends Program {
  title: string;
  /** The file that a process writes its id into, to be limited from then on. */
  limit?: string | undefined;
}

export async function startMeasured({ title, args, environment, limit }: Measured): Promise<ForwarderProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'longshore-bench-forwarder-'));
  const logPath = join(folder, 'log');
  // The shell records its process id and becomes the program: the keeper does not report the id.
  const joining = limit === undefined ? '' : `echo $$ > ${limit} && `;
  const [command, script] = ['/bin/sh', `echo $$ > pid && ${joining}exec "$@"`];
  const shellArgs = ['-c', script, 'sh', process.execPath, ...args];
  const kept = startKept({ command, args: shellArgs, environment, folder, logPath });
  const requireRunning = async () => {
    if (kept.ended() === undefined) return;
    throw new Error(`${title} ended by itself (${kept.ended()}):\n${await tailOf(logPath)}`);
  };
  try {
    const pid = await pidIn(join(folder, 'pid'), requireRunning);
    return {
      pid,
      cpuMs: () => cpuOf(pid),
      memoryMb: () => memoryOf(pid),
      requireRunning,
      lastWords: () => tailOf(logPath),
      // The keeper always ends programs with SIGKILL.
      kill: () => kept.stop(),
      stop: () => kept.stop(),
    };
  } catch (error) {
    await kept.stop();
    throw error;
  }
}

async function pidIn(path: string, requireRunning: () => Promise<void>): Promise<number> {
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return Number(text);
    await requireRunning();
    await pause(pollMs);
  }
}

async function cpuOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name, which may contain blanks and ends with the last parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return (user + system) * tickMs;
}

/** The present and the maximum memory of a process. */
export async function memoryOf(pid: number): Promise<{ now: number; peak: number }> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field: string) => {
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1];
    if (!kilobytes) throw new Error(`/proc/${pid}/status has no ${field}: the process has ended`);
    return Number(kilobytes) / 1_024;
  };
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}
