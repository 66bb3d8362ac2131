import type { Log } from '../runtime/log.ts';
import type { OnRefused } from './send.ts';

/** Logs once for each queue that does not report its length. */
export function logDepthUnknown(log: Pick<Log, 'error'>): (functionName: string, error: unknown) => void {
  const logged = new Set<string>();
  return (queue, error) => {
    if (logged.has(queue)) return;
    logged.add(queue);
    log.error('queue length unknown: namespaces do not take turns', { queue, error: String(error) });
  };
}

/** A queue may refuse the same kind of message often: this many are logged in one line. */
const loggedOneIn = 100;

/** Logs why a queue rejects single messages, which holds up the checkpoint. */
export function logRefusals(log: Pick<Log, 'error'>): OnRefused {
  const counts = new Map<string, number>();
  return (queue, _, code, isSenderFault) => {
    const name = `${queue} ${code}`;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    if (count % loggedOneIn === 0)
      log.error('queue refused a message', { queue, code, isSenderFault, times: count + 1 });
  };
}
