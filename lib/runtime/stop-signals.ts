const signals = ['SIGINT', 'SIGTERM'] as const;
export type StopSignal = (typeof signals)[number];

/** A terminal sends Ctrl-C to npm and to this process, and npm forwards it too: within this time it is the same one. */
const sameMs = 1_000;

/** Calls back at the first Ctrl-C or other stop signal. The next one ends the process by default. */
export function onStop(stop: (signal: StopSignal) => void): void {
  let firstMs: number | undefined;
  const take = (signal: StopSignal) => {
    const nowMs = performance.now();
    if (firstMs === undefined) {
      firstMs = nowMs;
      stop(signal);
    } else if (nowMs - firstMs > sameMs) {
      for (const each of signals) process.off(each, take);
      process.kill(process.pid, signal);
    }
  };
  for (const signal of signals) process.on(signal, take);
}
