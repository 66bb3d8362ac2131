import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from './bare-environment.ts';

const main = fileURLToPath(new URL('./command-host-main.ts', import.meta.url));

export interface HostedCall {
  words: readonly string[];
  environment: Record<string, string>;
  /** The width of the terminal; without one there are pipes. */
  columns?: number;
}

export interface HostedEnd {
  /** A text if it has thrown what nothing has caught. */
  code: number | string;
  out: string;
  err: string;
}

interface Options {
  environment?: Record<string, string>;
  columns?: number;
  /** Ctrl-C comes when this is over, and the command takes it. */
  interruptAfter?: Promise<unknown>;
}

/** One process for many commands: each takes milliseconds, where one of its own takes half a second. */
export class CommandHost {
  private readonly process: ChildProcess;

  constructor() {
    const env = bareEnvironment({ HOME: '/nowhere' });
    this.process = fork(main, [], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  async run(words: readonly string[], kubeconfig: string, options: Options = {}): Promise<HostedEnd> {
    const { environment = {}, columns, interruptAfter } = options;
    const ended = once(this.process, 'message') as Promise<[HostedEnd]>;
    const call: HostedCall = { words, environment: { ...environment, KUBECONFIG: kubeconfig } };
    this.process.send(columns === undefined ? call : { ...call, columns });
    interruptAfter?.then(() => this.process.send('interrupt'));
    const [end] = await ended;
    return end;
  }

  stop(): void {
    this.process.disconnect();
  }
}
