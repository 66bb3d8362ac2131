import type { Command } from '@commander-js/extra-typings';

/** Adds the description, arguments, options, examples and action of a command. What its action needs it loads itself. */
export type Define = (command: Command) => unknown;
