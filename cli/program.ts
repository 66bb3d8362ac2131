import { Command } from '@commander-js/extra-typings';
import { commands, groups, type Listed } from './commands.ts';
import { exitCodesHelp } from './exit-codes.ts';
import { releaseVersion } from './release-version.ts';
import { outputWidth } from './terminal/width.ts';

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
    .configureHelp({ showGlobalOptions: false, helpWidth: outputWidth(process.stdout) })
    .configureOutput({ outputError: () => {} })
    .enablePositionalOptions()
    .exitOverride();
  const wanted = words?.find((each) => !each.startsWith('-'));
  for (const listed of commands) await add(program, listed, words === undefined || listed.name === wanted);
  return program;
}

async function add(program: Command, listed: Listed, isWhole: boolean): Promise<void> {
  const command = program.command(listed.name).summary(listed.summary).helpGroup(groups[listed.group]);
  command.helpOption('-h, --help', 'show help');
  if (isWhole) (await listed.load())(command);
}

/** Runs one command. What it throws is for `main.ts`. */
export async function runProgram(words: readonly string[]): Promise<void> {
  const program = await programFor(words);
  await program.parseAsync(words, { from: 'user' });
}
