import { setTimeout as pause } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  FilterLogEventsCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-cloudwatch-logs';
import { type Connectable, clientSettings } from '../local-aws/local-aws.ts';
import { patient, pauseAfter } from '../processes/patience.ts';

/** One line that a function wrote about its work. */
export interface LogLine {
  readonly time: string;
  readonly function: string;
  readonly message: string;
  readonly key?: string;
  /** Of a message: its change, and the trace that the change began. */
  readonly correlation?: string;
  readonly trace?: string;
  /** For a write: the verb, the object, the result and the duration. */
  readonly write?: string;
  readonly object?: string;
  readonly result?: string;
  readonly milliseconds?: number;
  /** For the end of a run. */
  readonly outcome?: string;
  readonly reason?: string;
  /** For a failure. */
  readonly error?: string;
}

const timeoutMs = patient(300_000);

/** The functions' logs so far, oldest first. A run's lines arrive when the run is over. */
export async function readLogs(localAws: Connectable, functionNames: readonly string[]): Promise<LogLine[]> {
  const client = new CloudWatchLogsClient(clientSettings(localAws));
  try {
    const texts = await Promise.all(functionNames.map((name) => readGroup(client, `/aws/lambda/${name}`)));
    const lines = texts.flat().flatMap(parseLine);
    return lines.sort((one, other) => Date.parse(one.time) - Date.parse(other.time));
  } finally {
    client.destroy();
  }
}

/** Waits until the logs meet the condition. */
export async function untilLogged(
  localAws: Connectable,
  functionNames: readonly string[],
  condition: (lines: LogLine[]) => boolean,
): Promise<LogLine[]> {
  const begun = Date.now();
  for (;;) {
    const lines = await readLogs(localAws, functionNames);
    if (condition(lines)) return lines;
    const waitedMs = Date.now() - begun;
    if (waitedMs > timeoutMs) throw new Error(`the logs of ${functionNames.join(', ')} do not report it`);
    await pause(pauseAfter(waitedMs));
  }
}

async function readGroup(client: CloudWatchLogsClient, logGroupName: string): Promise<string[]> {
  const texts: string[] = [];
  let nextToken: string | undefined;
  do {
    const command = new FilterLogEventsCommand({ logGroupName, nextToken });
    const answer = await client.send(command).catch((error: unknown) => {
      // A function that has not run yet has no log.
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    });
    texts.push(...(answer?.events ?? []).map(({ message }) => message ?? ''));
    nextToken = answer?.nextToken;
  } while (nextToken !== undefined);
  return texts;
}

/** Lambda itself also writes lines, about the start and the end of each run; those are not JSON. */
function parseLine(text: string): LogLine[] {
  try {
    const parsed: unknown = JSON.parse(text.slice(text.indexOf('{')));
    return isLogLine(parsed) ? [parsed] : [];
  } catch {
    return [];
  }
}

function isLogLine(parsed: unknown): parsed is LogLine {
  return typeof parsed === 'object' && parsed !== null && 'time' in parsed && 'function' in parsed;
}
