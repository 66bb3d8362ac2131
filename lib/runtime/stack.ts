import { redacted, redactedMessageOf } from './redaction.ts';
import { toSourcePosition } from './source-positions.ts';

/** Keeps a log line far below the limit of CloudWatch. */
const maxLength = 4_096;
const maxErrors = 6;
const frame = /^\s+at /;

/**
 * Where an error and its causes were thrown, to debug a bug of Longshore; undefined if not known. Their messages are redacted
 * as everywhere else, as the message in a stack may quote what others have sent.
 */
export function stackOf(error: unknown): string | undefined {
  const parts: string[] = [];
  for (const [relation, each] of errorsIn('', error)) {
    parts.push([`${relation}${each.name}: ${redactedMessageOf(each)}`, ...framesOf(each)].join('\n'));
    if (parts.length === maxErrors) break;
  }
  if (parts.length === 0) return undefined;
  const text = redacted(parts.join('\n'));
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}

/** An error, its causes, and its aggregated errors. They may be circular: the caller stops. */
function* errorsIn(relation: string, error: unknown): Generator<[string, Error]> {
  if (!(error instanceof Error)) return;
  yield [relation, error];
  yield* errorsIn('caused by ', error.cause);
  if (error instanceof AggregateError) for (const each of error.errors) yield* errorsIn('one of them: ', each);
}

/** A message of several lines can have lines that look like frames. It precedes all frames. */
function framesOf({ stack, message }: Error): string[] {
  const text = typeof stack === 'string' ? stack : '';
  const at = text.indexOf(message);
  const afterMessage = at < 0 ? text : text.slice(at + message.length);
  return afterMessage
    .split('\n')
    .filter((line) => frame.test(line))
    .map(toSourcePosition);
}
