import type { Api } from '../kubernetes/connection.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { Outbox } from '../queue/outbox.ts';
import type { Router } from '../reconcile/routing.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Checkpoint } from './checkpoint.ts';

export interface ForwarderOptions {
  cluster: string;
  api: Api;
  outbox: Outbox;
  log: Log;
  clock: Clock;
  /** How far whoever was here before has come. */
  since?: Checkpoint;
  /** The kinds that are watched, and whom their changes concern: what the capabilities say, if nothing else is given. */
  resources?: readonly Resource[];
  createRouter?: () => Router;
  /** How many messages one change may become at once. */
  maxFanOut?: number;
  /** A text that nobody else has. */
  newRunId?: () => string;
}

/** What happens is counted, for whoever runs it. */
export interface ForwarderStats {
  lists: number;
  watchFailures: number;
  /** When the server was last heard of, by a clock that only goes forward. */
  heardAtMs: number;
  /** Everything has been listed, and changes are followed. */
  isFollowing: boolean;
}
