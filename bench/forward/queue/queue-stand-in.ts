import { fileURLToPath } from 'node:url';
import { startStandIn } from '../../stand-in-process.ts';

/** A message as it arrived at the stand-in. */
export interface Arrived {
  at: number;
  groupId: string;
  body: string;
}

export interface QueueStandIn {
  readonly url: string;
  count(): Promise<number>;
  /** The messages from this position on, in the order in which they arrived. */
  records(from: number): Promise<Arrived[]>;
  /**
   * Removes all messages, and responds after this time from now on. Messages that will not be read need not be kept.
   */
  reset(roundTripMs: number, keepsMessages?: boolean): Promise<void>;
  stop(): Promise<void>;
}

export async function startQueue(): Promise<QueueStandIn> {
  const program = fileURLToPath(new URL('./queue-process.ts', import.meta.url));
  const { url, ask, stop } = await startStandIn(program, [], '/control/count');
  return {
    url,
    count: async () => Number(await ask('/control/count')),
    records: async (from) => JSON.parse(await ask(`/control/records?from=${from}`)) as Arrived[],
    reset: async (roundTripMs, keepsMessages = true) => {
      await ask(`/control/reset?roundTripMs=${roundTripMs}&keeps=${keepsMessages ? 1 : 0}`);
    },
    stop,
  };
}
