/** One command of `longshore`. What goes wrong is thrown: a UsageError where it was called wrongly. */
export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** The synopsis and the options, as `--help` of the command shows them. */
  usage: string;
  run(given: string[]): Promise<void>;
}
