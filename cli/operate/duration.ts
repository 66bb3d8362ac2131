const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** A duration for people, such as `45s`, `7m`, `3h 20m` or `12d`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? units[3];
  const count = Math.floor(seconds / size);
  const minutes = Math.floor((seconds % 3_600) / 60);
  return unit === 'h' && minutes > 0 ? `${count}h ${minutes}m` : `${count}${unit}`;
}

/** How long ago, by these clocks; an unknown or malformed time is `?`. */
export function ageText(since: string | undefined, now: Date): string {
  const ms = Date.parse(since ?? '');
  return Number.isNaN(ms) ? '?' : durationText(now.getTime() - ms);
}
