import { displayName } from '../../lib/kubernetes/resources.ts';
import type { ResyncReport } from '../../lib/recovery/resync/resync.ts';
import { isCheck, type ToSend } from '../../lib/recovery/resync/unfinished-object.ts';
import type { LogFields } from '../../lib/runtime/log.ts';
import { redacted } from '../../lib/runtime/redaction.ts';
import { heading } from '../terminal/colour.ts';
import { printable } from '../terminal/printable.ts';
import { tableLines } from '../terminal/table.ts';

/** Lines where nobody looks on, so that a log shows that it goes on. */
const lineEveryMs = 10_000;

interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** What a resync says while it runs, and what it has done. */
export class ResyncOutput {
  private readonly output: Output;
  private messages: readonly ToSend[] = [];
  private done = 0;
  private printedAtMs = 0;

  constructor(output: Output) {
    this.output = output;
  }

  found(messages: readonly ToSend[]): void {
    this.messages = messages;
    this.printedAtMs = performance.now();
  }

  sent(): void {
    this.done += 1;
    const isOver = this.done === this.messages.length;
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
    const [head = '', ...others] = tableLines([['function', 'kind', 'sent'], ...rows]);
    const table = isDryRun || rows.length === 0 ? [] : [heading(head), ...others, ''];
    const sum = `${unfinished} of the ${objects} objects of cluster ${cluster} may have unfinished work`;
    const what = isDryRun
      ? `${this.messages.length - checks} messages would be sent`
      : `${this.done} messages were sent, by run ${runId}`;
    const checked = 'to check what no list shows, such as the contents of Secrets';
    const also = checks === 0 ? [] : [isDryRun ? `${checks} more ${checked}` : `${checks} of them ${checked}`];
    const left = leftOut.map(({ kind, reason }) => printable(redacted(`left out: ${kind}: ${reason}`)));
    return [...table, [`${sum}; ${what}`, ...also].join(', '), ...left].join('\n');
  }

  /** The same for programs, with the messages of a dry run. */
  documentOf({ cluster, runId, objects, unfinished, checks, results, leftOut }: ResyncReport, isDryRun: boolean) {
    return {
      cluster,
      run: isDryRun ? null : runId,
      dryRun: isDryRun,
      objects,
      unfinished,
      toSend: this.messages.length,
      checks,
      sent: this.done,
      ...(isDryRun ? { messages: this.messages.filter((each) => !isCheck(each)).map(documentOfRoute) } : {}),
      functions: results.map(({ function: name, kind, messages, sent }) => ({ function: name, kind, messages, sent })),
      leftOut: leftOut.map(({ kind, reason }) => ({ kind, reason: redacted(reason) })),
    };
  }

  private get progress(): string {
    return `sent ${this.done} of ${this.messages.length}`;
  }
}

export function nameOfRoute({ function: name, resource, key }: ToSend): string {
  return `${name}  ${resource.kind} ${displayName(key)}`;
}

function documentOfRoute({ function: name, resource, key }: ToSend) {
  const place = key.namespace === undefined ? { name: key.name } : { namespace: key.namespace, name: key.name };
  return { function: name, kind: resource.kind, ...place };
}
