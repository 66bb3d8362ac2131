const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const examplesOfMoments = '2026-11-19T03:00Z or 2026-11-19T04:00+01:00, or so long ago: 90m, 6h or 2d';

/**
 * Only what can mean nothing else: without a zone it would be another moment on another machine, and of what is half a date
 * JavaScript makes one of some year.
 */
const whole =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** A moment, as `2026-11-19T03:00Z`, or so long ago, as `90m`, `6h` or `2d`; undefined where it is neither. */
export function momentFrom(text: string, now: Date): Date | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now.getTime() - Number(count) * (unitMs[unit] ?? 0));
  const day = whole.exec(text)?.[1];
  return day !== undefined && isInCalendar(day) ? new Date(text) : undefined;
}

/** The 30th of February would be taken for a day of March. */
function isInCalendar(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
