import { displayName, type ObjectName } from '../../kubernetes/resources.ts';
import { errorText } from '../../runtime/error-text.ts';
import { pagesOf } from '../../runtime/pages.ts';
import { fieldsOfLine } from '../function-log-line.ts';
import { NewestEntries } from './newest-entries.ts';
import { type Entry, nameOfObject, timestampFrom } from './timeline-entry.ts';

/** Reads one page of the lines of a function's log that contain this string. */
export type ReadLogPage = (
  functionName: string,
  text: string,
  token: string | undefined,
) => Promise<{ lines: string[]; next: string | undefined }>;

/** The fields of a log line that a function writes about its work. */
interface Line {
  time?: string;
  level?: string;
  message?: string;
  cluster?: string;
  kind?: string;
  key?: string;
  object?: string;
  write?: string;
  result?: string;
  outcome?: string;
  reason?: string;
  error?: unknown;
  milliseconds?: number;
  delivery?: number;
  trace?: string;
  runId?: string;
  requestId?: string;
}

export interface LogReading {
  /** Objects of other clusters may have the same names. */
  cluster: string;
  functions: readonly string[];
  readPage: ReadLogPage;
  signal: AbortSignal;
  onProblem: (problem: string) => void;
}

/** Log lines of the functions about these objects, or about writes to them. */
export async function entriesOfLogs(objects: readonly ObjectName[], reading: LogReading): Promise<Entry[]> {
  const named = new Map(objects.map((object) => [nameOfObject(object), object]));
  const texts = [...new Set(objects.map((object) => displayName(object)))];
  const newest = new NewestEntries();
  // One after the other: AWS allows few such calls a second.
  for (const name of reading.functions) {
    try {
      for (const text of texts) {
        for await (const line of linesWith(text, name, reading)) {
          for (const entry of entryOf(name, fieldsOfLine(line), named, reading.cluster)) newest.add(entry);
        }
      }
    } catch (error) {
      reading.onProblem(`the log of ${name} cannot be read: ${errorText(error)}`);
    }
  }
  for (const problem of newest.problemsOf('the log')) reading.onProblem(problem);
  return [...newest.entries];
}

async function* linesWith(text: string, name: string, { readPage, signal }: LogReading): AsyncGenerator<string> {
  if (signal.aborted) return;
  const pages = pagesOf(
    (token) => readPage(name, text, token),
    ({ next }) => next,
  );
  for await (const { lines } of pages) {
    yield* lines;
    if (signal.aborted) return;
  }
}

function entryOf(name: string, line: Line, named: ReadonlyMap<string, ObjectName>, meant: string): Entry[] {
  const { time, level, cluster = meant, kind, key, object, trace, runId, requestId } = line;
  // The object that is written may not be the one that is reconciled.
  const about = named.get(object ?? '') ?? named.get(`${kind} ${key}`);
  const at = timestampFrom(time);
  if (!about || !at || cluster !== meant) return [];
  const details = { function: name, level, message: line.message, trace, runId, requestId };
  const what = `${name}: ${wordsOf(line, about)}${runId === undefined ? '' : `, by run ${runId}`}`;
  return [{ at, source: 'log', object: about, what, details, isReaction: false }];
}

function wordsOf(line: Line, about: ObjectName): string {
  const { message = '', write, object = '', result = '', outcome, reason = '', error, milliseconds } = line;
  if (write !== undefined) {
    const other = object === nameOfObject(about) ? '' : ` of ${object}`;
    return `${write}${other} ${result}, ${milliseconds} ms`;
  }
  if (outcome !== undefined) return `${message}: ${outcome} ${reason}`.trimEnd();
  if (error === undefined) return message;
  return `${message} at delivery ${line.delivery}: ${typeof error === 'string' ? error : JSON.stringify(error)}`;
}
