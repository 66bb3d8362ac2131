/** Aborts at the first Ctrl-C, so that what is in our hands is given back; the second one ends the process. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const onSignal = () => {
    console.error('stopping: one moment, so that nothing stays hidden');
    stop.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  return stop.signal;
}
