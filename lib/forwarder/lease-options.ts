import type { Connection } from '../kubernetes/connection.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { NotesOfHolder } from './lease-hold.ts';

/** After this time without a renewal, another process may take over. */
export const defaultDurationSeconds = 15;

export interface LeaseOptions {
  connection: Pick<Connection, 'send'>;
  /** The name of the Lease in the cluster. */
  name: string;
  /** Globally unique: no two processes, nor two runs of one, may share it. */
  holder: string;
  clock: Clock;
  log: Log;
  /** What the deployment calls the cluster: in the log, and for the commands that must not take another one for it. */
  cluster: string;
  durationSeconds?: number;
  onRenewed?(): void;
  notes?: NotesOfHolder | undefined;
}

export interface AcquireOptions {
  signal: AbortSignal;
  /** The time at which this holder plans to end, for those that wait. */
  endsAt?: Date;
  /** The longest wait that is worthwhile, also for a holder that stays longer. */
  giveUpAfter?: Date;
}

/** `stopped`: the signal aborted. `another-leads`: the holder is alive, and stays longer than is worth waiting for. */
export type AcquireResult =
  | { outcome: 'held'; checkpoint: Checkpoint | undefined }
  | { outcome: 'stopped' }
  | { outcome: 'another-leads' };
