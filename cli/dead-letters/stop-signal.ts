import { stopSignal as stoppedBy } from '../interrupted.ts';

/** Aborts at the first Ctrl-C, so that received dead letters are given back; the second one ends the process. */
export function stopSignal(): AbortSignal {
  return stoppedBy(() => console.error('stopping: making dead letters visible again'));
}
