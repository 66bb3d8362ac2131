/** Structured logs: one JSON object a line. Object contents never go into them, only names, counts and reasons. */

export type LogFields = Record<string, string | number | boolean | undefined>;

export interface Log {
  info(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export function consoleLog(always: LogFields): Log {
  const write = (level: string) => (message: string, fields?: LogFields) =>
    console.log(JSON.stringify({ time: new Date().toISOString(), level, message, ...always, ...fields }));
  return { info: write('info'), error: write('error') };
}
