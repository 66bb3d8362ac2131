import { Interrupted } from '../interrupted.ts';
import { UsageError } from '../parse/usage-error.ts';
import { ConfirmationPrompt } from '../terminal/confirmation-prompt.ts';
import { lineWidth } from '../terminal/width.ts';
import { folded } from '../terminal/wrap.ts';

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
}

/** Asks once. Whoever cannot be asked must have said so before. */
export async function confirmed(
  question: string,
  isAgreed: boolean,
  signal: AbortSignal,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  if (isAgreed) return true;
  if (!input.isTTY) {
    throw new UsageError('nothing was changed: there is no terminal to ask at. Use --yes, or --dry-run to look only');
  }
  const prompt = new ConfirmationPrompt(signal, input, output);
  try {
    const isConfirmed = await prompt.agree(folded(question, lineWidth(output)));
    if (signal.aborted) throw new Interrupted('nothing was changed');
    return isConfirmed;
  } finally {
    prompt.close();
  }
}
