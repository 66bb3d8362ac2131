import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { commands, groups, type Listed } from './commands.ts';
import { exitCodesHelp } from './exit-codes.ts';
import { releaseVersion } from './release-version.ts';
import { heading } from './terminal/colour.ts';
import { showRequired } from './terminal/usage.ts';
import { helpWidth } from './terminal/width.ts';

/**
 * The command line as far as these words need it: of the other commands only name and summary are known. Without words,
 * as for completion and the reference, all of it.
 */
export async function programFor(words?: readonly string[]): Promise<Command> {
  const program = new Command('longshore');
  program
    .description('Reconciles Kubernetes storage from outside the cluster: volume transfers, buckets and data sources.')
    .usage('<command> [options]')
    .version(await releaseVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .addHelpText('after', `\nSee 'longshore <command> --help' for its options.\n${exitCodesHelp}`)
    .configureHelp({
      showGlobalOptions: false,
      helpWidth: helpWidth(process.stdout),
      styleTitle: (text) => heading(text),
    })
    .configureOutput({ outputError: () => {} })
    .enablePositionalOptions()
    .exitOverride();
  const wanted = words?.find((each) => !each.startsWith('-'));
  for (const listed of commands) await add(program, listed, words === undefined || listed.name === wanted);
  return program;
}

async function add(program: Command, listed: Listed, isWhole: boolean): Promise<void> {
  const command = program.command(listed.name).summary(listed.summary).helpGroup(groups[listed.group]);
  command.helpOption('-h, --help', 'show help').helpCommand(false);
  if (!isWhole) return;
  (await listed.load())(command);
  showRequired(command);
}

/** The command whose help explains what was typed. */
export function whereToLook(program: Command, words: readonly string[]): string {
  let command = program as CommandUnknownOpts;
  const named: string[] = [];
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (!next) break;
    command = next;
    named.push(word);
  }
  return `See 'longshore ${[...named, '--help'].join(' ')}'.`;
}
