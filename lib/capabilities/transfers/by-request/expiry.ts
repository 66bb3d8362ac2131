import type { TransferApproval, TransferRequest } from '../../../kubernetes/objects.ts';

/** Whether a request or an approval is complete for as long as its owner wants it to be kept; without a wish, for ever. */
export function hasExpired({ spec, status }: TransferRequest | TransferApproval, now: Date): boolean {
  if (!status?.complete || spec.ttlSecondsAfterFinished === undefined) return false;
  const finishedAt = Date.parse(status.conditions?.find(({ type }) => type === 'Complete')?.lastTransitionTime ?? '');
  // A time that cannot be read is no reason to delete anything.
  return now.getTime() >= finishedAt + spec.ttlSecondsAfterFinished * 1000;
}
