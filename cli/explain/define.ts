import type { Define } from '../define.ts';
import { outputOption } from '../terminal/output.ts';

/** What the reason of a condition, an Event or a line of the log means. */
export const defineExplain: Define = (command) =>
  command
    .description(
      'Explains a reason in a condition, an Event or the log, and says who has to do what. "list" lists all reasons.',
    )
    .argument('<reason>', 'such as ApprovalMissing, or list')
    .addOption(outputOption('json'))
    .addHelpText('after', '\nExamples:\n  longshore explain ApprovalMissing\n  longshore explain list')
    .action(async (reason, options) => (await import('./explain.ts')).explainReason(reason, options));
