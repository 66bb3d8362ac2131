import type { Connection } from '../kubernetes/connection.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Checkpoint } from './checkpoint.ts';

export interface LeaseOptions {
  connection: Pick<Connection, 'send'>;
  /** Of the Lease in the cluster. */
  name: string;
  /** Ours, and nobody else's ever: no two processes, nor two runs of one, may have the same. */
  holder: string;
  clock: Clock;
  log: Log;
  /** As the log names it. */
  cluster: string;
  durationSeconds?: number;
  onRenewed?(): void;
}

export interface Acquiring {
  signal: AbortSignal;
  /** When we mean to end, which those who wait are told. */
  endsAt?: Date;
  /** Nothing is gained by waiting for longer than this, or for a holder that goes on for longer. */
  giveUpAfter?: Date;
}

/** `stopped`: the signal aborted. `in-vain`: who holds it is alive, and goes on for longer than is worth waiting for. */
export type Acquired =
  | { outcome: 'held'; checkpoint: Checkpoint | undefined }
  | { outcome: 'stopped' }
  | { outcome: 'in-vain' };
