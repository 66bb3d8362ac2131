import { reasonOf } from './failure.ts';
import type { Log, LogFields } from './log.ts';
import { redactedMessageOf } from './redaction.ts';
import { stackOf } from './stack.ts';

/** The log fields that say why something failed. */
export function failureFields(error: unknown, log: Pick<Log, 'debug'>): LogFields {
  return { reason: reasonOf(error), error: redactedMessageOf(error), stack: stackFor(error, log) };
}

/** An error of another service says enough, except at debug level. A bug needs its position in the code. */
export function stackFor(error: unknown, log: Pick<Log, 'debug'>): string | undefined {
  return log.debug || reasonOf(error) === 'Mistake' ? stackOf(error) : undefined;
}
