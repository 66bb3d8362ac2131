import { messageOf, redacted } from './redaction.ts';
import { inSources } from './source-positions.ts';

/** A line of the log with it is still far from what CloudWatch takes. */
const maxLength = 4_096;
const maxErrors = 6;
const frame = /^\s+at /;

/**
 * Where an error and what caused it were thrown, for whoever mends a mistake of ours; undefined where that is not known. What
 * it says is told as anywhere else, as the text on top of a stack may hold what others have sent.
 */
export function stackOf(error: unknown): string | undefined {
  const parts: string[] = [];
  for (const [relation, each] of errorsIn('', error)) {
    parts.push([`${relation}${each.name}: ${messageOf(each)}`, ...framesOf(each)].join('\n'));
    if (parts.length === maxErrors) break;
  }
  if (parts.length === 0) return undefined;
  const text = redacted(parts.join('\n'));
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}

/** An error, what caused it, and what it is made of. They may go round: whoever asks stops. */
function* errorsIn(relation: string, error: unknown): Generator<[string, Error]> {
  if (!(error instanceof Error)) return;
  yield [relation, error];
  yield* errorsIn('caused by ', error.cause);
  if (error instanceof AggregateError) for (const each of error.errors) yield* errorsIn('one of them: ', each);
}

/** A message of several lines can have some that look like frames, and stands before all of them. */
function framesOf({ stack, message }: Error): string[] {
  const text = typeof stack === 'string' ? stack : '';
  const at = text.indexOf(message);
  const afterMessage = at < 0 ? text : text.slice(at + message.length);
  return afterMessage
    .split('\n')
    .filter((line) => frame.test(line))
    .map(inSources);
}
