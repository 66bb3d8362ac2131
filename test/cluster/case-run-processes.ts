import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tools/processes/free-port.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { type ClusterClient, consent, makeTransfer, untilComplete } from '../support/cluster-client.ts';
import { defaultWaitMs } from '../support/patience.ts';
import { expectMoved } from './case-waits.ts';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
const pollMs = 50;

export interface Answer {
  status: number;
  text: string;
}

/** A process of `longshore run`. */
export class RunProcess {
  log = '';
  private readonly child: ChildProcess;
  private readonly address: string;
  private readonly ended: Promise<unknown[]>;

  private constructor(child: ChildProcess, address: string) {
    this.child = child;
    this.address = address;
    this.ended = once(child, 'exit');
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        this.log += piece;
      });
    }
  }

  /** Nothing of this process's environment counts but where programs are. */
  static async start(
    args: readonly string[],
    environment: Record<string, string> = {},
    [program, ...before]: readonly [string, ...string[]] = [process.execPath, main],
  ): Promise<RunProcess> {
    const address = `127.0.0.1:${await freePort()}`;
    const given = [...before, 'run', '--metrics', address, ...args];
    const env = bareEnvironment({ HOME: '/nowhere', ...environment });
    return new RunProcess(spawn(program, given, { env, stdio: ['ignore', 'pipe', 'pipe'] }), address);
  }

  /** Resolves when it answers so. */
  async until(path: string, condition: (answer: Answer) => boolean): Promise<Answer> {
    const deadline = performance.now() + defaultWaitMs;
    let last: Answer | undefined;
    while (performance.now() < deadline && this.isRunning) {
      last = await this.ask(path);
      if (last && condition(last)) return last;
      await pause(pollMs);
    }
    throw new Error(`${path} does not say so, but ${JSON.stringify(last)}; the log:\n${this.log}`);
  }

  /** Sends the signal, and resolves with the exit code, or with the signal that has ended it. */
  async end(signal: NodeJS.Signals): Promise<unknown> {
    this.child.kill(signal);
    const [code, by] = await this.ended;
    return code ?? by;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Undefined while it starts. */
  async ask(path: string): Promise<Answer | undefined> {
    try {
      const answer = await fetch(`http://${this.address}${path}`, { signal: AbortSignal.timeout(1_000) });
      return { status: answer.status, text: await answer.text() };
    } catch {
      return undefined;
    }
  }
}

/** A transfer by request, from nothing to the end. */
export async function moveClaim(client: ClusterClient): Promise<void> {
  const transfer = await makeTransfer(client);
  await consent(client, transfer);
  await untilComplete(client, transfer);
  await client.untilGone(transfer.source);
  await expectMoved(client, transfer);
}
