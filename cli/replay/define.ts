import { defaultRate, maxRate } from '../../lib/recovery/replay/spec.ts';
import type { Define } from '../define.ts';
import { withDeployment } from '../deployment-options.ts';
import { notEmpty, wholeNumber } from '../parse/values.ts';
import { documentOption, jsonOption } from '../terminal/document-option.ts';

/** Messages of the archive once more. */
export const defineReplay: Define = (command) =>
  withDeployment(command)
    .usage('(--from <time> | --resume <run>) [options]')
    .description('Sends archived messages of a time range to their queues again. Give --from, or --resume with a run.')
    .option('--from <time>', 'start: such as 2026-11-19T03:00Z, or 6h for six hours ago')
    .option('--to <time>', 'end, in the same form (default: now)')
    .option(
      '--cluster <name>',
      'only messages for objects in this cluster (default: all that the deployment serves)',
      notEmpty('--cluster'),
    )
    .option('--kind <kind>', 'only messages for objects of this kind')
    .option('-n, --namespace <namespace>', 'only messages for objects in this namespace', notEmpty('--namespace'))
    .option('--name <name>', 'only messages for objects of this name', notEmpty('--name'))
    .option('--function <function>', 'only messages to this function', notEmpty('--function'))
    .option('--once-per-key', 'only the first of several messages about the same object')
    .option(
      '--rate <n>',
      `messages per second: 1-${maxRate} (default: ${defaultRate}); if the functions are slower, current changes are delayed`,
      wholeNumber('--rate', 1, maxRate),
    )
    .option('--dry-run', 'read and count, but send nothing')
    .option('--archive <bucket>', "archive of an earlier deployment (default: the deployment's own)")
    .option('--skip-damaged', 'skip and report damaged parts of the archive')
    .option('--resume <run>', 'continue an interrupted run')
    .addOption(documentOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  longshore replay --from 6h --dry-run --stage production
  longshore replay --from 2026-11-19T03:00Z --to 2026-11-19T05:00Z --cluster main --stage production`,
    )
    .action(async (options) => (await import('./replay.ts')).replay(options));
