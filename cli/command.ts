/** One command of `longshore`. What goes wrong is thrown: a UsageError where it was called wrongly. */
export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** The synopsis, the options and examples, as `--help` of the command shows them. */
  usage: string;
  /** The same of its subcommands that have their own, by name. */
  usageOf?: Record<string, string>;
  run(given: string[]): Promise<void>;
}
