import { createInterface, type Interface } from 'node:readline';

interface Output {
  write(text: string): unknown;
}

/** Asks the user. Without an answer, as in a script or after Ctrl-C, nothing is confirmed. */
export class ConfirmationPrompt {
  private readonly output: Output;
  private readonly lines: Interface;
  private readonly next: AsyncIterator<string>;

  constructor(signal: AbortSignal, input: NodeJS.ReadableStream = process.stdin, output: Output = process.stderr) {
    this.output = output;
    this.lines = createInterface({ input, signal });
    // One for all questions: a second one would wait forever if the input has ended meanwhile.
    this.next = this.lines[Symbol.asyncIterator]();
  }

  /** For what cannot be undone: true if the answer is exactly these words, which are not typed by mistake. */
  async confirm(question: string, words: string): Promise<boolean> {
    return (await this.ask(`${question}\nType "${words}" to do so: `)) === words;
  }

  /** For what can: true for y or yes. */
  async agree(question: string): Promise<boolean> {
    return /^y(es)?$/i.test((await this.ask(`${question} [y/N] `)) ?? '');
  }

  private async ask(question: string): Promise<string | undefined> {
    this.output.write(question);
    const { done, value } = await this.next.next();
    if (done) this.output.write('\n');
    return done ? undefined : value.trim();
  }

  close(): void {
    this.lines.close();
  }
}
