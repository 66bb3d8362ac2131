import { embeddedMetric, type Measurement } from './metrics.ts';

/** Structured logs: one JSON object a line. Object contents never go into them, only names, counts and reasons. */

export type LogFields = Record<string, string | number | boolean | undefined>;

export interface Log {
  info(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Counts something, where the log is made into metrics. */
  measure(measurement: Measurement): void;
}

export function consoleLog(always: LogFields): Log {
  const write = (level: string) => (message: string, fields?: LogFields) =>
    console.log(JSON.stringify({ time: new Date().toISOString(), level, message, ...always, ...fields }));
  const measure = (measurement: Measurement) => {
    const now = new Date();
    const line = { time: now.toISOString(), level: 'info', message: 'measured', ...always };
    console.log(embeddedMetric(measurement, now, line));
  };
  return { info: write('info'), error: write('error'), measure };
}
