import { CommanderError } from '@commander-js/extra-typings';
import { redacted } from '../lib/runtime/redaction.ts';
import { plainRefusals } from './connect/plain-error.ts';
import { exitCodes } from './exit-codes.ts';
import { Interrupted } from './interrupted.ts';
import { UsageError } from './parse/usage-error.ts';
import { programFor, whereToLook } from './program.ts';
import { bad } from './terminal/colour.ts';
import { printable } from './terminal/printable.ts';
import { lineWidth } from './terminal/width.ts';
import { folded } from './terminal/wrap.ts';

/** Does what these words say. How it ended is the exit code of the process. */
export async function call(words: readonly string[]): Promise<void> {
  const program = await programFor(words);
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    process.exitCode = explain(error, program, words);
  }
}

/** Says what went wrong, and returns the exit code. */
function explain(error: unknown, program: Awaited<ReturnType<typeof programFor>>, words: readonly string[]): number {
  // Help and the version have been printed.
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
  const isUsage = error instanceof UsageError || error instanceof CommanderError;
  const message = error instanceof Error ? error.message : String(error);
  // Printing the whole usage would push the error off the screen.
  const advice = isUsage ? [whereToLook(program, words)] : [];
  console.error(
    [bad(folded(shown(message.replace(/^error: /, '')), lineWidth(process.stderr)), process.stderr), ...advice].join(
      '\n',
    ),
  );
  if (isUsage) return exitCodes.usage;
  return error instanceof Interrupted ? exitCodes.interrupted : exitCodes.failed;
}

/** AWS repeats what it was sent where it refuses it, and others what they like: neither is for a terminal as it is. */
function shown(text: string): string {
  return plainRefusals(redacted(text))
    .split('\n')
    .map((line) => line.replace(/^( *)(.*)$/, (_, indent: string, rest: string) => indent + printable(rest)))
    .join('\n');
}
