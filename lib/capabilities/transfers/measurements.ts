import type { ClusterObject } from '../../kubernetes/objects.ts';
import type { Measurement } from '../../runtime/metrics.ts';
import type { TransferReason } from './reasons.ts';

type Kind = 'ByRequest' | 'ByAnnotation';

/** Counts a transfer that started, completed or failed, with the reason. */
export function measured(
  name: 'TransfersStarted' | 'TransfersCompleted' | 'TransfersFailed',
  kind: Kind,
  reason?: TransferReason,
): Measurement {
  const dimensions: Record<string, string> = { Transfer: kind, ...(reason ? { Reason: reason } : {}) };
  return { name, unit: 'Count', value: 1, dimensions };
}

/** The duration since the last of the required consents. */
export function durationSince(now: Date, kind: Kind, agreed: (ClusterObject | Date | undefined)[]): Measurement {
  const times = agreed.map((each) =>
    each instanceof Date ? each.getTime() : Date.parse(each?.metadata.creationTimestamp ?? ''),
  );
  const since = Math.max(...times.filter((time) => !Number.isNaN(time)));
  const value = Number.isFinite(since) ? Math.max(0, now.getTime() - since) : 0;
  return { name: 'TransferDuration', unit: 'Milliseconds', value, dimensions: { Transfer: kind } };
}
