import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Define } from '../../cli/define.ts';

export interface Parsed {
  /** The words of the command and its subcommand. */
  command: string;
  args: unknown[];
  options: Record<string, unknown>;
}

/** What the words after the name of a command are read as, without running anything. */
export async function parsed(define: Define, words: readonly string[]): Promise<Parsed> {
  const root = new Command('longshore')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  const command = root.command('command');
  define(command);
  const results: Parsed[] = [];
  for (const each of [command, ...command.commands] as CommandUnknownOpts[]) {
    if (each.commands.length > 0) continue;
    each.action((...given: unknown[]) => {
      results.push({
        command: each.name(),
        args: given.slice(0, -2),
        options: given.at(-2) as Record<string, unknown>,
      });
    });
  }
  await root.parseAsync(['command', ...words], { from: 'user' });
  const [result] = results;
  if (!result) throw new Error('nothing was called');
  return result;
}

/** Reads the words and runs the command, so that what its action refuses is refused too. */
export async function called(define: Define, words: readonly string[]): Promise<void> {
  const root = new Command('longshore')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  define(root.command('command'));
  await root.parseAsync(['command', ...words], { from: 'user' });
}
