import { parseDuration } from './parse-duration.ts';

export const timeExamples = '2026-11-19T03:00Z or 2026-11-19T04:00+01:00, or so long ago: 90m, 6h or 2d';

/**
 * Only unambiguous times: without a zone it would be another time on another machine, and JavaScript completes a partial
 * date with some year.
 */
const completeTime =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Parses a time such as `2026-11-19T03:00Z`, or one relative to now such as `90m`, `6h` or `2d`; otherwise undefined. */
export function parseTime(text: string, now: Date): Date | undefined {
  const ago = parseDuration(text);
  if (ago !== undefined) return new Date(now.getTime() - ago);
  const day = completeTime.exec(text)?.[1];
  return day !== undefined && isInCalendar(day) ? new Date(text) : undefined;
}

/** Date would accept the 30th of February as a day in March. */
function isInCalendar(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
