import { onStop } from '../lib/runtime/stop-signals.ts';

/** Stopped by Ctrl-C before the end. The message says what has not been done. */
export class Interrupted extends Error {}

/** Calls back when nobody reads any more what a command prints, for one that would go on printing for ever. */
export function onReaderGone(stop: () => void): void {
  process.stdout.once('error', stop);
}

/** Aborts at the first Ctrl-C, so that the command can end in good order; the second one ends the process. */
export function stopSignal(onFirst: () => void = () => {}): AbortSignal {
  const stop = new AbortController();
  onStop(() => {
    onFirst();
    stop.abort();
  });
  return stop.signal;
}
