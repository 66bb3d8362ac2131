/**
 * The time limits for local waits: for processes to start, and for the conditions of tests. A wait ends as soon as its
 * condition is met, so generous limits cost nothing if all is well, and a busy machine is slow but does not fail.
 * LONGSHORE_PATIENCE is a factor of all of them.
 */
const factor = factorFrom(process.env.LONGSHORE_PATIENCE);

/** The time limit of a wait, scaled for this machine. */
export function patient(limitMs: number): number {
  return limitMs * factor;
}

/** Anything but a positive number is an error: all waits would fail, or none would end. */
export function factorFrom(text: string | undefined): number {
  if (text === undefined || text === '') return 1;
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new Error(`LONGSHORE_PATIENCE must be a number above 0, not '${text}'`);
}

/**
 * The pause before the next check of a condition that has been awaited for this long. Each check takes resources from
 * other processes, and a wait that is a twentieth longer is not noticed.
 */
export function pauseAfter(waitedMs: number): number {
  return Math.min(150, Math.max(25, waitedMs / 20));
}
