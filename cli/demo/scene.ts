import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { exitCodes } from '../exit-codes.ts';
import { Interrupted } from '../interrupted.ts';
import { follow, type Progress } from '../objects/follow.ts';
import { create } from '../objects/objects.ts';
import type { User } from '../objects/user.ts';
import type { Work } from '../objects/work.ts';
import { objectsText } from '../objects/write-options.ts';
import { elapsedText } from '../terminal/elapsed.ts';
import { shellLine } from '../terminal/shell-line.ts';
import type { Plan } from './preflight.ts';

export interface SceneOptions {
  /** Each namespace as its owner works in it. */
  first: Work;
  second: Work;
  plan: Plan;
  size: string;
  timeoutMs: number;
}

/** Where the demo takes place. Everything is told as the line that a user would type for it, and done as that line does it. */
export class Scene {
  readonly first: Work;
  readonly second: Work;
  readonly plan: Plan;
  readonly size: string;
  readonly timeoutMs: number;
  private readonly user: User;
  private readonly startedMs: number;
  private chapters = 0;

  constructor({ first, second, plan, size, timeoutMs }: SceneOptions) {
    this.first = first;
    this.second = second;
    this.plan = plan;
    this.size = size;
    this.timeoutMs = timeoutMs;
    this.user = first.user;
    this.startedMs = this.user.nowMs();
  }

  chapter(text: string): void {
    this.goOn();
    this.chapters += 1;
    this.say(`\n${this.chapters}. ${text}`);
  }

  say(text: string): void {
    this.user.tell(text);
  }

  /** One of the commands. What it tells is what users see. */
  async types(words: readonly string[], act: () => Promise<number>): Promise<void> {
    const line = this.prompt([...words, ...this.first.reach]);
    const code = await act();
    this.goOn();
    if (code !== exitCodes.done) throw new Error(`this has failed: ${line}`);
  }

  /** What users would do with kubectl. */
  async kubectl<T>(words: readonly string[], act: () => Promise<T>): Promise<T> {
    this.prompt(['kubectl', ...words, ...this.first.reach]);
    return act();
  }

  /** `isShown`: the command before has printed the manifest already. */
  async applies<T extends ClusterObject>(resource: Resource<T>, object: T, isShown = false): Promise<T> {
    this.goOn();
    const line = shellLine(['kubectl', 'apply', '-f', '-', ...this.first.reach]);
    const manifest = isShown ? ' # as printed above' : ` <<'EOF'\n${objectsText([object], 'yaml').trimEnd()}\nEOF`;
    this.say(`\n${this.elapsed()} $ ${line}${manifest}`);
    const made = await create(this.first, resource, object);
    if (made) return made;
    throw new Error(`somebody else has created ${object.kind} ${object.metadata.name} at this moment: try again`);
  }

  /** Waits, as the commands do. */
  async until(what: string, look: () => Promise<Progress>): Promise<void> {
    const { ending } = await follow(this.user, this.timeoutMs, look);
    this.goOn();
    if (ending.is === 'problem') throw new Error(ending.problem);
    if (ending.is === 'late') throw new Error(`${what} was not done within ${this.timeoutMs / 1_000} s`);
    this.say(`${this.elapsed()} ${what}`);
  }

  private prompt(words: readonly string[]): string {
    this.goOn();
    const line = shellLine(words);
    this.say(`\n${this.elapsed()} $ ${line}`);
    return line;
  }

  elapsed(): string {
    return elapsedText(this.user.nowMs() - this.startedMs);
  }

  private goOn(): void {
    if (this.user.stopped.aborted) throw new Interrupted('interrupted');
  }
}

/** The claim that moves has this name everywhere. */
export const claimName = 'data';
