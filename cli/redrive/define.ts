import { withDeadLetters } from '../dead-letters/with-dead-letters.ts';
import type { Define } from '../define.ts';
import { renamed, wholeNumber } from '../parse/values.ts';
import { documentOption, jsonOption } from '../terminal/document-option.ts';
import { readIncluded } from './included.ts';

const defaultRate = 50;
const maxRate = 1_000;

/** Dead letters once more. */
export const defineRedrive: Define = (command) =>
  withDeadLetters(command)
    .description(
      'Moves dead letters back to their queues, except those whose work is done, those that cannot be processed, and requests to delete a Bucket. Those of one object keep their order.',
    )
    .option(
      '--include <list>',
      'also move these, separated by commas: done (the work is done, or the object is gone), unprocessable (malformed, of an unknown cluster, or from a later release), deletions (requests to delete a Bucket, which may delete its data)',
      readIncluded,
    )
    .option('--rate <n>', `dead letters per second: 1-${maxRate}`, wholeNumber('--rate', 1, maxRate), defaultRate)
    .option('--dry-run', 'count, but move nothing')
    .addOption(documentOption())
    .addOption(jsonOption())
    .addOption(renamed('--done', '--include done'))
    .addOption(renamed('--hopeless', '--include unprocessable'))
    .addHelpText(
      'after',
      `
Examples:
  longshore redrive --stage production --context main=prod --dry-run
  longshore redrive --stage production --context main=prod --function request-bucket --include deletions`,
    )
    .action(async (options) => (await import('./redrive.ts')).redrive(options));
