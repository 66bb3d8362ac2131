import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { MemoryLimit, peakBytesOf } from './memory-limit.ts';

const program = fileURLToPath(new URL('./lambda-process-main.ts', import.meta.url));

export interface LambdaOptions {
  /** The bundle of the function. */
  path: string;
  megabytes: number;
  environment: Record<string, string>;
}

export interface Invoked {
  answer?: unknown;
  error?: string;
}

/** A function in a process of its own that has as much memory as it has in Lambda, and is killed if it takes more. */
export class LambdaProcess {
  private readonly child: ChildProcess;
  private readonly limit: MemoryLimit;
  private readonly ended: Promise<unknown>;
  private invocations = 0;
  private lines = '';

  static async start(options: LambdaOptions): Promise<LambdaProcess> {
    const started = new LambdaProcess(options, await MemoryLimit.of(options.megabytes * 1024 * 1024));
    const [first] = await Promise.race([once(started.child, 'message'), started.ended.then(() => [])]);
    if (!first) throw new Error(`the function did not start: ${started.lines}`);
    return started;
  }

  private constructor({ path, megabytes, environment }: LambdaOptions, limit: MemoryLimit) {
    this.limit = limit;
    // Lambda lets the heap have nine tenths of the memory.
    const node = [process.execPath, `--max-old-space-size=${Math.floor(megabytes * 0.9)}`, program, path];
    this.child = spawn('sh', ['-c', 'echo $$ > "$0" && exec "$@"', limit.members, ...node], {
      env: { PATH: process.env.PATH, AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(megabytes), ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.ended = once(this.child, 'exit');
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (text: Buffer) => {
        this.lines = (this.lines + text.toString()).slice(-100_000);
      });
    }
  }

  /** What the function has written into its log lately. */
  get log(): string {
    return this.lines;
  }

  get wasKilled(): boolean {
    return this.child.signalCode !== null || this.child.exitCode !== null;
  }

  /** Undefined when it is killed instead. */
  async invoke(event: unknown, timeoutMs: number): Promise<Invoked | undefined> {
    this.invocations += 1;
    const id = this.invocations;
    const answered = new Promise<Invoked>((resolve) => {
      const take = (message: Invoked & { id: number }) => {
        if (message.id !== id) return;
        this.child.off('message', take);
        resolve(message);
      };
      this.child.on('message', take);
    });
    this.child.send({ id, event, timeoutMs });
    return Promise.race([answered, this.ended.then(() => undefined)]);
  }

  peakBytes(): Promise<number> {
    return peakBytesOf(this.child.pid ?? 0);
  }

  async stop(): Promise<void> {
    if (!this.wasKilled) this.child.kill('SIGKILL');
    await this.ended;
    await this.limit.remove();
  }
}
