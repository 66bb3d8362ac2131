import { UsageError } from './usage-error.ts';

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration such as `30s`, `10m` or `2h`, in milliseconds. */
export const duration =
  (option: string) =>
  (text: string): number => {
    const [, count, unit = ''] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
    if (count !== undefined && Number(count) > 0) return Number(count) * (unitMs[unit] ?? 0);
    throw new UsageError(`${option} must be a duration such as 30s, 10m or 2h, but is ${text}`);
  };
