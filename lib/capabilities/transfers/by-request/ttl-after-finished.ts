import type { TransferApproval, TransferRequest } from '../../../kubernetes/objects.ts';

/**
 * True if a request or an approval has been complete for as long as its owner wants to keep it; by default, it is kept
 * for ever.
 */
export function hasExpired({ spec, status }: TransferRequest | TransferApproval, now: Date): boolean {
  if (!status?.complete || spec.ttlSecondsAfterFinished === undefined) return false;
  const finishedAt = Date.parse(status.conditions?.find(({ type }) => type === 'Complete')?.lastTransitionTime ?? '');
  // A time that cannot be parsed is no reason to delete anything.
  return now.getTime() >= finishedAt + spec.ttlSecondsAfterFinished * 1000;
}
