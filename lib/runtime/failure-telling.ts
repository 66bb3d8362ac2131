import { reasonOf } from './failure.ts';
import type { Log, LogFields } from './log.ts';
import { messageOf } from './redaction.ts';
import { stackOf } from './stack.ts';

/** What a line of the log says of why something failed. */
export function failureFields(error: unknown, log: Pick<Log, 'debug'>): LogFields {
  return { reason: reasonOf(error), error: messageOf(error), stack: stackFor(error, log) };
}

/** What others answer says enough, unless every detail is asked for. Of a mistake of ours only the place does. */
export function stackFor(error: unknown, log: Pick<Log, 'debug'>): string | undefined {
  return log.debug || reasonOf(error) === 'Mistake' ? stackOf(error) : undefined;
}
