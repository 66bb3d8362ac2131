const unitsMs = [86_400_000, 3_600_000, 60_000, 1_000] as const;
const parts = /^(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/;

/** A duration such as `30s`, `90m`, `1h30m` or `2d`, in milliseconds; otherwise undefined. */
export function parseDuration(text: string): number | undefined {
  const counts = text === '' ? undefined : parts.exec(text)?.slice(1);
  return counts?.reduce((total, count = '0', index) => total + Number(count) * (unitsMs[index] ?? 0), 0);
}
