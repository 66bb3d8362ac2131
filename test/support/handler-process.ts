import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SQSBatchResponse } from 'aws-lambda';
import type { Handler } from '../../lib/reconcile/serve.ts';
import { transferSteps as steps } from './transfer-steps.ts';

const program = fileURLToPath(new URL('./handler-process-main.ts', import.meta.url));

export type Question = { kubeconfigs: Record<string, string> } | { id: number; function: string; event: unknown };
export interface Answered {
  id: number;
  answer: SQSBatchResponse;
}

/** As many as a function has instances, perhaps: a kill cuts off these, and not everything that there is. */
const maxAtOnce = 8;

/** All handlers in a process of their own that can be killed at any moment; the next invocation starts another one. */
export class HandlerProcess {
  readonly handlers: Record<string, Handler>;
  kills = 0;
  private readonly kubeconfigs: Record<string, string>;
  private readonly waiting = new Map<
    number,
    { resolve: (answer: SQSBatchResponse) => void; reject: (e: Error) => void }
  >();
  private child: ChildProcess | undefined;
  private readonly queued: (() => void)[] = [];
  private questions = 0;
  private hasAnswered = false;

  constructor(kubeconfigs: Record<string, string>) {
    this.kubeconfigs = kubeconfigs;
    this.handlers = Object.fromEntries(steps.map(({ name }) => [name, (event) => this.take(name, event)]));
  }

  /** Cuts off what is being worked on; but not before the process has come as far as to work at all. */
  killIfWorking(): void {
    if (!this.child || !this.hasAnswered || this.waiting.size === 0) return;
    this.kills += 1;
    this.child.kill('SIGKILL');
    this.hasAnswered = false;
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (!child) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  private async take(functionName: string, event: unknown): Promise<SQSBatchResponse> {
    while (this.waiting.size >= maxAtOnce) await new Promise<void>((resolve) => this.queued.push(resolve));
    return this.ask(functionName, event);
  }

  private ask(functionName: string, event: unknown): Promise<SQSBatchResponse> {
    const child = this.child ?? this.start();
    this.questions += 1;
    const id = this.questions;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      child.send({ id, function: functionName, event } satisfies Question, (error) => error && this.fail(id, error));
    });
  }

  private start(): ChildProcess {
    const child = fork(program, { execArgv: ['--disable-warning=ExperimentalWarning'] });
    this.child = child;
    const mine = new Set(this.waiting.keys());
    child.on('message', ({ id, answer }: Answered) => {
      this.hasAnswered = true;
      this.waiting.get(id)?.resolve(answer);
      this.end(id);
    });
    child.on('exit', () => {
      if (this.child === child) this.child = undefined;
      for (const id of [...this.waiting.keys()].filter((each) => !mine.has(each))) this.fail(id, new Error('killed'));
    });
    child.send({ kubeconfigs: this.kubeconfigs } satisfies Question);
    return child;
  }

  private fail(id: number, error: Error): void {
    this.waiting.get(id)?.reject(error);
    this.end(id);
  }

  private end(id: number): void {
    this.waiting.delete(id);
    this.queued.shift()?.();
  }
}
