import type { Define } from '../define.ts';
import { withDeployment } from '../deployment-options.ts';
import { documentOption, jsonOption } from '../terminal/document-option.ts';

/** The queues of a deployment. */
export const defineQueues: Define = (command) =>
  withDeployment(command)
    .description('Shows how many messages each queue has, and which queues are missing.')
    .option('--recreate', 'recreate missing queues as they were deployed; they are empty afterwards')
    .option('--dry-run', 'with --recreate: say which queues would be recreated')
    .addOption(documentOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Exits with 3 if a queue is missing.

Examples:
  longshore queues --stage production
  longshore queues --stage production --recreate`,
    )
    .action(async (options) => (await import('./queues.ts')).queues(options));
