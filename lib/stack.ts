import { messageOf, redacted } from './runtime/redaction.ts';

/** A line of the log with it is still far from what CloudWatch takes. */
const maxLength = 4_096;
const maxCauses = 5;
const frame = /^\s+at /;

/**
 * Where an error and what caused it were thrown, for whoever mends a mistake of ours; undefined where that is not known. What
 * it says is told as anywhere else, as the text on top of a stack may hold what others have sent.
 */
export function stackOf(error: unknown): string | undefined {
  const parts: string[] = [];
  for (let each = error; each instanceof Error && parts.length < maxCauses; each = each.cause) {
    const frames = framesOf(each);
    parts.push([`${parts.length > 0 ? 'caused by ' : ''}${each.name}: ${messageOf(each)}`, ...frames].join('\n'));
  }
  if (parts.length === 0) return undefined;
  const text = redacted(parts.join('\n'));
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}

/** A message of several lines can have some that look like frames, and stands before all of them. */
function framesOf({ stack, message }: Error): string[] {
  const text = typeof stack === 'string' ? stack : '';
  const at = text.indexOf(message);
  const afterMessage = at < 0 ? text : text.slice(at + message.length);
  return afterMessage.split('\n').filter((line) => frame.test(line));
}
