const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const examplesOfMoments = '2026-11-19T03:00Z, or so long ago: 90m, 6h or 2d';

/** A moment, as `2026-11-19T03:00Z`, or so long ago, as `90m`, `6h` or `2d`; undefined where it is neither. */
export function momentFrom(text: string, now: Date): Date | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now.getTime() - Number(count) * (unitMs[unit] ?? 0));
  // Without a zone it would be another moment on another machine.
  if (!/(?:Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined;
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}
