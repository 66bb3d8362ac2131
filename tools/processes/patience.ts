/**
 * How long anything local is waited for: processes that start, and what tests wait for. A wait ends as soon as its
 * condition is met, so generous limits cost nothing where all is well, and a busy machine is slow but does not fail.
 * LONGSHORE_PATIENCE is a factor of all of them.
 */
const factor = factorFrom(process.env.LONGSHORE_PATIENCE);

/** A limit of a wait, as this machine needs it. */
export function patient(limitMs: number): number {
  return limitMs * factor;
}

/** Anything but a number above zero is a mistake, by which all waits would fail or none would end. */
export function factorFrom(text: string | undefined): number {
  if (text === undefined || text === '') return 1;
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new Error(`LONGSHORE_PATIENCE must be a number above 0, not '${text}'`);
}

/**
 * How long to pause before looking again at something that has been waited for this long. Each look costs the machine something
 * that the others need, and a tenth of a wait more is not noticed.
 */
export function pauseAfter(waitedMs: number): number {
  return Math.min(500, Math.max(25, waitedMs / 8));
}
