import type { Reread } from './step.ts';

/** Consent that was read longer ago than this is read again before anything irreversible is based on it. */
const maxTrustMs = 5_000;

export function tooOld({ readAt }: { readAt: Date }, now: Date): Reread<'ConsentTooOld'> | undefined {
  return now.getTime() - readAt.getTime() > maxTrustMs ? { do: 'reread', reason: 'ConsentTooOld' } : undefined;
}
