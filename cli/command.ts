/** One command of `longshore`. What goes wrong is thrown: a UsageError where it was called wrongly. */
export interface Command {
  /** The lines of the usage: how it is called, and what each part means. */
  usage: string;
  run(given: string[]): Promise<void>;
}
