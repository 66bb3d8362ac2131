import type { Command } from '@commander-js/extra-typings';
import { withDeadLetters } from '../dead-letters/with-dead-letters.ts';
import type { Define } from '../define.ts';
import { didYouMean } from '../parse/did-you-mean.ts';
import { UsageError } from '../parse/usage-error.ts';
import { renamed, wholeNumber } from '../parse/values.ts';
import { documentOption, jsonOption } from '../terminal/document-option.ts';

const defaultLimit = 1_000;
const maxLimit = 10_000;

/** What failed for good. */
export const defineDlq: Define = (command) => {
  command.description(
    "Lists dead letters, which are messages that failed for good, or drops them. Without a subcommand it is 'list'.",
  );
  defineList(command.command('list', { isDefault: true }));
  defineDrop(command.command('drop'));
  return command;
};

const defineList: Define = (command) =>
  withLimit(withDeadLetters(command), 'list')
    .summary('list dead letters: what failed, why, and the current state of its object')
    .description('Lists dead letters: what failed, why, and the current state of its object.')
    .addOption(documentOption())
    .addOption(jsonOption())
    .addOption(renamed('--most', '--limit'))
    .allowExcessArguments()
    .addHelpText(
      'after',
      `
Exits with 3 if something is open: work that will not be done otherwise.

Examples:
  longshore dlq list --stage production --context main=prod
  longshore dlq list --stage production --function request-bucket --context main=prod --context edge=shop`,
    )
    .action(async (options, { args }) => {
      refuseUnknown(args);
      await (await import('./dlq.ts')).list(options);
    });

const defineDrop: Define = (command) =>
  withLimit(withDeadLetters(command), 'drop')
    .summary('delete dead letters for good, after a confirmation')
    .usage('(--done | --unprocessable | --all) [options]')
    .description('Deletes dead letters for good, after a confirmation. Say which: --done, --unprocessable, or --all.')
    .option('--done', 'those whose work is done or whose object is gone')
    .option(
      '--unprocessable',
      'those that this release and configuration cannot process: malformed, of an unknown cluster, or from a later release',
    )
    .option('--all', 'every dead letter that matches, including work not yet done')
    .option('-y, --yes', 'do not ask for confirmation; still lists what is dropped')
    .option('--dry-run', 'list what would be dropped, but drop nothing')
    .addOption(documentOption())
    .addOption(renamed('--most', '--limit'))
    .addOption(renamed('--hopeless', '--unprocessable'))
    .addHelpText(
      'after',
      `
Examples:
  longshore dlq drop --done --stage production --context main=prod
  longshore dlq drop --all --stage production --function request-bucket --namespace team-a --name reports`,
    )
    .action(async (options) => (await import('./dlq.ts')).dropDeadLetters(options));

function withLimit<Args extends unknown[], Options extends Record<string, unknown>>(
  command: Command<Args, Options>,
  verb: string,
) {
  return command
    .option(
      '--limit <n>',
      `maximum number of dead letters to ${verb} per queue: 1-${maxLimit}`,
      wholeNumber('--limit', 1, maxLimit),
      defaultLimit,
    )
    .option('--no-logs', 'do not search CloudWatch logs for errors');
}

/** It is the default, so what is no subcommand arrives here. */
function refuseUnknown([word]: readonly string[]): void {
  if (word === undefined) return;
  throw new UsageError(`unknown command 'dlq ${word}'${didYouMean(word, ['list', 'drop'])}`);
}
