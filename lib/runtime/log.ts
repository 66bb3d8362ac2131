import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
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
  if (!level) throw mistake('LONGSHORE_LOG_LEVEL', `must be ${logLevels.join(' or ')}`);
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
  const { level = 'info', deployment = anyDeployment, write = writeLine } = options;
  const lines = new Lines(always, level, write);
  return {
    debug: level === 'debug' ? (message, fields = {}) => lines.debug(message, fields) : undefined,
    info: (message, fields = {}) => lines.info(message, fields),
    error: (message, fields = {}) => lines.error(message, fields),
    measure: (...measurements) => {
      const now = new Date();
      const about = { time: now.toISOString(), level: 'info', message: 'measured', ...always };
      for (const metrics of embeddedMetrics(measurements, deployment, now))
        write(JSON.stringify({ ...about, ...metrics }));
    },
  };
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

const powertoolsLevels = { debug: 'DEBUG', info: 'INFO', error: 'ERROR' } as const;

class Lines extends Logger {
  private readonly write: ((line: string) => void) | undefined;

  constructor(always: LogFields, level: LogLevel, write: (line: string) => void) {
    forgetSettingsOfOthers();
    super({
      logLevel: powertoolsLevels[level],
      persistentKeys: always,
      logFormatter: new LineFormatter(),
      jsonReplacerFn: (_, value) => (typeof value === 'string' ? redacted(value) : value),
    });
    this.write = write;
  }

  /** Each line as one line, and errors among the rest in their order. */
  protected override printLog(_: number, item: LogItem): void {
    item.prepareForPrint();
    // The logger may have something to say before it is made.
    (this.write ?? writeLine)(JSON.stringify(item.getAttributes(), this.getJsonReplacer()));
  }
}

class LineFormatter extends LogFormatter {
  formatAttributes(own: UnformattedAttributes, fields: LogAttributes): LogItem {
    const attributes = {
      time: (own.timestamp ?? new Date()).toISOString(),
      level: own.logLevel.toLowerCase(),
      message: own.message,
      ...fields,
      // Where X-Ray is on; what it calls a trace is the invocation, not the change.
      xray: own.xRayTraceId,
    };
    return new LogItem({ attributes });
  }
}

/**
 * The logger reads variables of its own, some of which would make it fail, or write what no metric can be made of; and it
 * adds its name to what the AWS SDK says of itself. It is configured here and nowhere else.
 */
function forgetSettingsOfOthers(): void {
  for (const name of Object.keys(process.env).filter((each) => each.startsWith('POWERTOOLS_')))
    delete process.env[name];
  const { AWS_SDK_UA_APP_ID: said = '' } = process.env;
  const left = said.replace(/\/?PT\/NO-OP\/.*$/, '');
  if (left === '') delete process.env.AWS_SDK_UA_APP_ID;
  else process.env.AWS_SDK_UA_APP_ID = left;
}
