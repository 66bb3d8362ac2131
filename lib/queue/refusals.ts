import type { Log } from '../log.ts';
import type { OnRefused } from './send.ts';

/** What a queue refuses once it may refuse often: so many of one kind are told by one line. */
const toldOneIn = 100;

/** Tells why a queue does not take single messages, which holds up the checkpoint. */
export function tellRefusals(log: Pick<Log, 'error'>): OnRefused {
  const counts = new Map<string, number>();
  return (queue, _, code, isSenderFault) => {
    const name = `${queue} ${code}`;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    if (count % toldOneIn === 0) log.error('queue refused a message', { queue, code, isSenderFault, times: count + 1 });
  };
}
