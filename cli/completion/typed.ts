import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** What has been typed before the word that is to be completed. */
export interface Typed {
  command: CommandUnknownOpts;
  /** The values of options, by the option's long name. */
  options: Map<string, string>;
  args: string[];
  /** How long a cluster may take to answer. */
  maxMs?: number;
}
