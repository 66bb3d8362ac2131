import { CommanderError } from '@commander-js/extra-typings';
import { redacted } from '../lib/runtime/redaction.ts';
import { exitCodes } from './exit-codes.ts';
import { Interrupted } from './interrupted.ts';
import { UsageError } from './parse/usage-error.ts';
import { programFor, whereToLook } from './program.ts';
import { bad } from './terminal/colour.ts';
import { printable } from './terminal/printable.ts';

// The AWS command line takes either, and what works for the one is to work for the other.
if (!process.env.AWS_REGION && process.env.AWS_DEFAULT_REGION) process.env.AWS_REGION = process.env.AWS_DEFAULT_REGION;
const words = withoutHelpWord(process.argv.slice(2));
if (words[0] === 'complete') await completed(words.slice(1));
else await run();

async function run(): Promise<void> {
  const program = await programFor(words);
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = explain(error, program);
  }
}

/** What the scripts of `completion` call. A shell shows nothing of what goes wrong, and waits for nothing that is open. */
async function completed(given: readonly string[]): Promise<void> {
  await (await import('./completion/complete.ts')).complete(given).catch(() => {});
  process.exit();
}

/** `help dlq drop` is the same as `dlq drop --help`; nothing at all asks for help as well. */
function withoutHelpWord(given: string[]): string[] {
  const [first, ...rest] = given;
  if (first === undefined) return ['--help'];
  return first === 'help' ? [...rest, '--help'] : given;
}

/** Says what went wrong, and returns the exit code. */
function explain(error: unknown, program: Awaited<ReturnType<typeof programFor>>): number {
  // Help and the version have been printed.
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
  const isUsage = error instanceof UsageError || error instanceof CommanderError;
  const message = error instanceof Error ? error.message : String(error);
  // Printing the whole usage would push the error off the screen.
  const advice = isUsage ? [whereToLook(program, words)] : [];
  console.error([bad(shown(message.replace(/^error: /, '')), process.stderr), ...advice].join('\n'));
  if (isUsage) return exitCodes.usage;
  return error instanceof Interrupted ? exitCodes.interrupted : exitCodes.failed;
}

/** AWS repeats what it was sent where it refuses it, and others what they like: neither is for a terminal as it is. */
function shown(text: string): string {
  return redacted(text).split('\n').map(printable).join('\n');
}
