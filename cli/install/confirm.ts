import { createInterface } from 'node:readline/promises';
import { UsageError } from '../parse/usage-error.ts';

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/** Asks once. Whoever cannot be asked must have said so before. */
export async function confirmed(
  question: string,
  isAgreed: boolean,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  if (isAgreed) return true;
  if (!input.isTTY) {
    throw new UsageError('nothing was changed: there is no terminal to ask at. Use --yes, or --dry-run to look only');
  }
  const lines = createInterface({ input, output });
  // An end of the input, such as Ctrl-D, is no answer.
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
