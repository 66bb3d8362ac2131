import { displayName } from '../lib/kubernetes/resources.ts';
import type { ResyncReport } from '../lib/recovery/resync/resync.ts';
import type { ToSend } from '../lib/recovery/resync/unfinished-object.ts';
import type { LogFields } from '../lib/runtime/log.ts';
import { redacted } from '../lib/runtime/redaction.ts';
import { aligned } from './aligned.ts';
import { printable } from './terminal/printable.ts';

/** Lines where nobody looks on, so that a log shows that it goes on. */
const lineEveryMs = 10_000;

interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** What a resync says while it runs, and what it has done. */
export class ResyncOutput {
  private readonly output: Output;
  private toSend = 0;
  private done = 0;
  private printedAtMs = 0;

  constructor(output: Output) {
    this.output = output;
  }

  found(messages: number): void {
    this.toSend = messages;
    this.printedAtMs = performance.now();
  }

  sent(): void {
    this.done += 1;
    const isOver = this.done === this.toSend;
    if (this.output.isTTY) this.output.write(`\r${this.progress}${isOver ? '\n' : ''}`);
    else if (performance.now() - this.printedAtMs > lineEveryMs) {
      this.printedAtMs = performance.now();
      this.output.write(`${this.progress}\n`);
    }
  }

  error(message: string, { kind, namespace, name, error }: LogFields = {}): void {
    this.warn(`${message}: ${kind} ${[namespace, name].filter(Boolean).join('/')}: ${error}`);
  }

  warn(problem: string | undefined): void {
    if (problem !== undefined) this.output.write(`${printable(redacted(problem))}\n`);
  }

  summaryOf(
    { cluster, runId, objects, unfinished, checks, results, leftOut }: ResyncReport,
    isDryRun: boolean,
  ): string {
    const rows = results.map(({ function: name, kind, messages, sent }) => [name, kind, `${sent} of ${messages}`]);
    const table = isDryRun || rows.length === 0 ? [] : [...aligned([['function', 'kind', 'sent'], ...rows]), ''];
    const sum = `${unfinished} of the ${objects} objects of cluster ${cluster} may have unfinished work`;
    const what = isDryRun
      ? `${this.toSend - checks} messages would be sent`
      : `${this.done} messages were sent, by run ${runId}`;
    const checked = 'to check what no list shows, such as the contents of Secrets';
    const also = checks === 0 ? [] : [isDryRun ? `${checks} more ${checked}` : `${checks} of them ${checked}`];
    const left = leftOut.map(({ kind, reason }) => printable(redacted(`left out: ${kind}: ${reason}`)));
    return [...table, [`${sum}; ${what}`, ...also].join(', '), ...left].join('\n');
  }

  private get progress(): string {
    return `sent ${this.done} of ${this.toSend}`;
  }
}

export function nameOfRoute({ function: name, resource, key }: ToSend): string {
  return `${name}  ${resource.kind} ${displayName(key)}`;
}
