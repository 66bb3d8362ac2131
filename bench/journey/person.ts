import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const pollMs = 20;
const limitMs = 300_000;

/** What somebody has typed, how long it took, and how much there was to read. */
export interface Typed {
  line: string;
  seconds: number;
  words: number;
}

export interface Surroundings {
  kubeconfigPath: string;
  kubectlPath: string;
  /** The credentials of the store, as the AWS SDK finds them. */
  environment: Readonly<Record<string, string>>;
}

/** A command that goes on while others are typed in another terminal. */
export class Begun {
  private readonly startedAt = performance.now();
  private readonly said: { at: number; text: string }[] = [];
  private readonly ended: Promise<unknown[]>;
  private isOver = false;
  private readonly line: string;
  readonly child: ChildProcess;

  constructor(line: string, environment: Record<string, string>, folder: string) {
    this.line = line;
    this.child = spawn('sh', ['-c', `exec ${line}`], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.said.push({ at: performance.now(), text }));
    }
    this.ended = once(this.child, 'close').finally(() => {
      this.isOver = true;
    });
  }

  get output(): string {
    return this.said.map(({ text }) => text).join('');
  }

  /** Resolves with what matches, as soon as it has said so. */
  async says(pattern: RegExp): Promise<string> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const [whole, part] = pattern.exec(this.output) ?? [];
      if (whole !== undefined) return part ?? whole;
      if (this.isOver || performance.now() > deadline) {
        throw new Error(`"${this.line}" did not say ${pattern}, but:\n${this.output}`);
      }
      await pause(pollMs);
    }
  }

  /** When it said so, as `performance.now()`. */
  saidAt(text: string): number {
    let output = '';
    for (const piece of this.said) {
      output += piece.text;
      if (output.includes(text)) return piece.at;
    }
    throw new Error(`"${this.line}" did not say "${text}", but:\n${this.output}`);
  }

  /** Up to now: for a command that goes on. */
  soFar(): Typed {
    const words = this.output.split(/\s+/).filter((each) => each !== '').length;
    return { line: this.line, seconds: (performance.now() - this.startedAt) / 1_000, words };
  }

  async ends(expected = 0): Promise<Typed> {
    const [code] = await this.ended;
    if (code !== expected) throw new Error(`"${this.line}" ended with ${code}:\n${this.output}`);
    return this.soFar();
  }

  async stop(): Promise<void> {
    if (!this.isOver) this.child.kill('SIGINT');
    await this.ended;
  }
}

/** Somebody with Node, npm and kubectl, an empty folder as home, and nothing else. */
export class Person implements AsyncDisposable {
  private readonly folder: string;
  private readonly environment: Record<string, string>;
  private readonly progress: (line: string) => void;
  private readonly all: Begun[] = [];

  private constructor(folder: string, environment: Record<string, string>, progress: (line: string) => void) {
    this.folder = folder;
    this.environment = environment;
    this.progress = progress;
  }

  static async arrives(surroundings: Surroundings, progress: (line: string) => void): Promise<Person> {
    const folder = await mkdtemp(join(tmpdir(), 'longshore-journey-'));
    const programs = join(folder, 'npm', 'bin');
    await mkdir(programs, { recursive: true });
    await symlink(surroundings.kubectlPath, join(programs, 'kubectl'));
    const { stdout: npm } = await promisify(execFile)('which', ['npm']);
    const path = [programs, dirname(process.execPath), dirname(npm.trim()), '/usr/bin', '/bin'];
    const environment = {
      PATH: path.join(delimiter),
      HOME: folder,
      KUBECONFIG: surroundings.kubeconfigPath,
      npm_config_prefix: join(folder, 'npm'),
      npm_config_offline: 'true',
      ...surroundings.environment,
    };
    return new Person(folder, environment, progress);
  }

  begins(line: string): Begun {
    this.progress(`$ ${line.split('\n')[0]}`);
    const begun = new Begun(line, this.environment, this.folder);
    this.all.push(begun);
    return begun;
  }

  async type(line: string): Promise<Typed> {
    return this.begins(line).ends();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.all.reverse()) await each.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
