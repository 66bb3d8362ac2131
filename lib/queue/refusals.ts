import type { Log } from '../runtime/log.ts';
import type { OnRefused } from './send.ts';

/** Tells once of each queue that does not say how much waits on it. */
export function logDepthUnknown(log: Pick<Log, 'error'>): (functionName: string, error: unknown) => void {
  const told = new Set<string>();
  return (queue, error) => {
    if (told.has(queue)) return;
    told.add(queue);
    log.error('queue length unknown: namespaces do not take turns', { queue, error: String(error) });
  };
}

/** What a queue refuses once it may refuse often: so many of one kind are told by one line. */
const toldOneIn = 100;

/** Tells why a queue does not take single messages, which holds up the checkpoint. */
export function logRefusals(log: Pick<Log, 'error'>): OnRefused {
  const counts = new Map<string, number>();
  return (queue, _, code, isSenderFault) => {
    const name = `${queue} ${code}`;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    if (count % toldOneIn === 0) log.error('queue refused a message', { queue, code, isSenderFault, times: count + 1 });
  };
}
