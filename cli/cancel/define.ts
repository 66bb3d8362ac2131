import type { Define } from '../define.ts';
import { withWriting } from '../objects/write-options.ts';

/** Takes back what has not begun. */
export const defineCancel: Define = (command) =>
  withWriting(command)
    .description(
      'Withdraws a request, an approval or an offer, as long as the volume is not on its way. Says so when it is too late, \
and changes nothing then.',
    )
    .argument('<object>', 'streq/<name>, stappr/<name>, or offer/<claim> for a claim that you offer')
    .addHelpText(
      'after',
      `
Examples:
  longshore cancel streq/team-b.db -n team-a
  longshore cancel offer/db -n team-b`,
    )
    .action(async (object, options) => (await import('./cancel.ts')).cancel(object, options));
