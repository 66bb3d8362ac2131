/** How long ago something was, in the largest unit of which there are some, as kubectl does. */
export function agoText(milliseconds: number): string {
  const seconds = Math.max(Math.floor(milliseconds / 1_000), 0);
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 2 * 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

export function ageOf({ creationTimestamp }: { creationTimestamp?: string }, nowMs = Date.now()): string {
  return creationTimestamp === undefined ? '-' : agoText(nowMs - Date.parse(creationTimestamp));
}
