import type { Define } from '../define.ts';
import { withWriting } from '../objects/write-options.ts';

/** Takes back what has not begun. */
export const defineCancel: Define = (command) =>
  withWriting(command)
    .description(
      'Withdraws a request, an approval or an offer. This is possible until the volume has begun to move; after that the \
command fails, and changes nothing.',
    )
    .argument('<object>', 'what to withdraw: streq/<name>, stappr/<name>, or offer/<claim>')
    .addHelpText(
      'after',
      `
Examples:
  longshore cancel streq/team-b.db -n team-a
  longshore cancel offer/db -n team-b`,
    )
    .action(async (object, options) => (await import('./cancel.ts')).cancel(object, options));
