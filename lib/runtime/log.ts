import { anyDeployment, embeddedMetrics, type Measurement } from './metrics.ts';
import { redacted } from './redaction.ts';

/** Structured logs: one JSON object a line. Object contents never go into them, only names, counts and reasons. */

export type LogFields = Record<string, string | number | boolean | undefined>;

export type Telling = (message: string, fields?: LogFields) => void;

/** From which on lines are written. What is counted is always written: nobody could tell silence from nothing. */
export const logLevels = ['info', 'error', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export function logLevelFrom(
  { LONGSHORE_LOG_LEVEL: text }: Record<string, string | undefined>,
  mistake: (variable: string, problem: string) => Error,
): LogLevel {
  const level = logLevels.find((each) => each === (text || 'info'));
  if (!level) throw mistake('LONGSHORE_LOG_LEVEL', 'must be info, error or debug');
  return level;
}

export interface Log {
  /** Only there if it is written, so that nothing is composed for it otherwise: `log.debug?.('read', …)`. */
  debug?: Telling | undefined;
  info(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Counts something, where the log is made into metrics. What is counted by the same goes into one line. */
  measure(...measurements: Measurement[]): void;
}

export interface LogOptions {
  level?: LogLevel;
  /** Whose metrics are made of it. */
  deployment?: string;
  /** Takes each line. */
  write?: (line: string) => void;
}

/** The log of a function or a command, on its standard output. */
export function consoleLog(always: LogFields, options: LogOptions = {}): Log {
  const { deployment = anyDeployment, write = writeLine } = options;
  const level = lambdaLevel() ?? options.level ?? 'info';
  const telling = (own: LogLevel): Telling => {
    return (message, fields) => {
      const about = { time: new Date().toISOString(), level: own, message, ...always, ...fields, xray: xrayTraceId() };
      write(JSON.stringify(about, (_, value) => (typeof value === 'string' ? redacted(value) : value)));
    };
  };
  return {
    debug: level === 'debug' ? telling('debug') : undefined,
    info: level === 'error' ? () => {} : telling('info'),
    error: telling('error'),
    measure: (...measurements) => {
      const now = new Date();
      const about = { time: now.toISOString(), level: 'info', message: 'measured', ...always };
      for (const metrics of embeddedMetrics(measurements, deployment, now))
        write(JSON.stringify({ ...about, ...metrics }));
    },
  };
}

/** Lambda's own setting, where its log format is JSON, is one for all functions and goes before ours. */
function lambdaLevel(): LogLevel | undefined {
  const { AWS_LAMBDA_LOG_LEVEL: own = '' } = process.env;
  return levelsOfLambda[own];
}

const levelsOfLambda: Record<string, LogLevel> = {
  TRACE: 'debug',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'error',
  ERROR: 'error',
  FATAL: 'error',
};

/** Where X-Ray is on; what it calls a trace is the invocation, not the change. Lambda says it anew at each invocation. */
function xrayTraceId(): string | undefined {
  return /(?:^|;)Root=([^;]*)/.exec(process.env._X_AMZN_TRACE_ID ?? '')?.[1];
}

/** The log of one invocation of a function. */
export function invocationLog(
  { function: name, logLevel: level, deployment }: { function: string; logLevel: LogLevel; deployment: string },
  invocation?: { awsRequestId?: string },
): Log {
  return consoleLog({ function: name, requestId: invocation?.awsRequestId }, { level, deployment });
}

/** The same log, each line of which says this as well. */
export function withFields(log: Log, always: LogFields): Log {
  const { debug } = log;
  return {
    debug: debug && ((message, fields) => debug(message, { ...always, ...fields })),
    info: (message, fields) => log.info(message, { ...always, ...fields }),
    error: (message, fields) => log.error(message, { ...always, ...fields }),
    measure: (...measurements) => log.measure(...measurements),
  };
}

/**
 * Not by `console`, which Lambda replaces by one that puts words before each line, or makes a text of it within another
 * object: then neither would be the metric that it is.
 */
function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
