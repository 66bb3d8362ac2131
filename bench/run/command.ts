import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { assembleCommand } from '../../deployment/package/package.ts';
import { freePort } from '../../tools/processes/free-port.ts';
import { nowMs } from '../forward/clock.ts';
import { type ForwarderProcess, startMeasured } from '../forward/forwarder-process.ts';

export const clusterName = 'main';
/** As in deployment/Dockerfile and longshore.service. */
export const publishedFlags: readonly string[] = ['--max-semi-space-size=8'];
const pollMs = 10;
const limitMs = 300_000;
let assembled: Promise<string> | undefined;

export interface RunOptions {
  kubeconfigPath: string;
  /** Of Node; by default those of the image and of the unit. */
  flags?: readonly string[];
  args?: readonly string[];
  /** See `Measured`. */
  limit?: string | undefined;
}

/** `longshore run` as it is published, in a process of its own. */
export class RunCommand {
  readonly process: ForwarderProcess;
  private readonly address: string;

  private constructor(process: ForwarderProcess, address: string) {
    this.process = process;
    this.address = address;
  }

  static async start({ kubeconfigPath, flags = publishedFlags, args = [], limit }: RunOptions): Promise<RunCommand> {
    assembled ??= assemble();
    const address = `127.0.0.1:${await freePort()}`;
    const options = ['--kubeconfig', kubeconfigPath, '--cluster', clusterName, '--metrics', address, ...args];
    const program = [...flags, await assembled, 'run', ...options];
    const process = await startMeasured({ title: 'longshore run', args: program, environment: {}, limit });
    return new RunCommand(process, address);
  }

  /** Resolves when it leads and has listed everything, with the time. */
  untilForwarding(): Promise<number> {
    return this.until('/readyz', (text) => text === `${clusterName}: forwarding\n`);
  }

  untilWaiting(): Promise<number> {
    return this.until('/readyz', (text) => text.includes('waiting for the lease'));
  }

  /** Resolves when so many messages have been worked on, of one function. */
  untilHandled(functionName: string, count: number): Promise<number> {
    const line = new RegExp(`^longshore_messages_handled_total\\{.*function="${functionName}"\\} (\\d+)$`, 'm');
    return this.until('/metrics', (text) => Number(line.exec(text)?.[1] ?? 0) >= count);
  }

  private async until(path: string, condition: (text: string) => boolean): Promise<number> {
    const deadline = nowMs() + limitMs;
    while (nowMs() < deadline) {
      const answer = await fetch(`http://${this.address}${path}`).catch(() => undefined);
      if (answer && condition(await answer.text())) return nowMs();
      await this.process.requireRunning();
      await pause(pollMs);
    }
    throw new Error(`${path} never said so; the last output:\n${await this.process.lastWords()}`);
  }
}

async function assemble(): Promise<string> {
  const folder = join(import.meta.dirname, '../../.build/bench/longshore');
  await mkdir(folder, { recursive: true });
  await assembleCommand(folder);
  return join(folder, 'dist/longshore.mjs');
}
