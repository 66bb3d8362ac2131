import { anyDeployment, embeddedMetrics, type Measurement } from './metrics.ts';
import { redacted } from './redaction.ts';

/** Structured logs: one JSON object per line. They never contain object contents, only names, counts and reasons. */

export type LogFields = Record<string, string | number | boolean | undefined>;

export type LogFunction = (message: string, fields?: LogFields) => void;

/** The minimum level. Metrics are always written: otherwise zero could not be told from silence. */
export const logLevels = ['info', 'error', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Log {
  /** Undefined unless debug lines are written, so that none is composed otherwise: `log.debug?.('read', …)`. */
  debug?: LogFunction | undefined;
  info(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Writes metrics to the log. Those with the same dimensions share a line. */
  measure(...measurements: Measurement[]): void;
}

export interface LogOptions {
  level?: LogLevel;
  /** The deployment that the metrics belong to. */
  deployment?: string;
  /** Receives each line. */
  write?: (line: string) => void;
}

/** The log of a function or a command, on its standard output. */
export function consoleLog(baseFields: LogFields, options: LogOptions = {}): Log {
  const { deployment = anyDeployment, write = writeLine } = options;
  const level = lambdaLevel() ?? options.level ?? 'info';
  const writerOf = (own: LogLevel): LogFunction => {
    return (message, fields) => {
      const about = {
        time: new Date().toISOString(),
        level: own,
        message,
        ...baseFields,
        ...fields,
        xray: xrayTraceId(),
      };
      write(JSON.stringify(about, (_, value) => (typeof value === 'string' ? redacted(value) : value)));
    };
  };
  return {
    debug: level === 'debug' ? writerOf('debug') : undefined,
    info: level === 'error' ? () => {} : writerOf('info'),
    error: writerOf('error'),
    measure: (...measurements) => {
      const now = new Date();
      const about = { time: now.toISOString(), level: 'info', message: 'measured', ...baseFields };
      for (const metrics of embeddedMetrics(measurements, deployment, now))
        write(JSON.stringify({ ...about, ...metrics }));
    },
  };
}

/** Lambda's own log level, which exists with its JSON log format, applies to all functions and overrides ours. */
function lambdaLevel(): LogLevel | undefined {
  const { AWS_LAMBDA_LOG_LEVEL: own = '' } = process.env;
  return lambdaLevels[own];
}

const lambdaLevels: Record<string, LogLevel> = {
  TRACE: 'debug',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'error',
  ERROR: 'error',
  FATAL: 'error',
};

/** Set if X-Ray is on. Its trace is the invocation, not the change. Lambda sets it anew at each invocation. */
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

/** The same log, with these fields on each line. */
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
 * Not by `console`, which Lambda replaces by one that prefixes each line, or wraps it as a string in another object: then
 * CloudWatch would not recognise the metrics.
 */
function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
