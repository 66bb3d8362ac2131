import { onStop } from '../../lib/runtime/stop-signals.ts';

/** Aborts at the first Ctrl-C, so that received dead letters are given back; the second one ends the process. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  onStop(() => {
    console.error('stopping: making dead letters visible again');
    stop.abort();
  });
  return stop.signal;
}
