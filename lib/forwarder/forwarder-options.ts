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
  /** The checkpoint of the previous forwarder. */
  since?: Checkpoint;
  /** The kinds to watch, and the routing of their changes; by default those of the capabilities. */
  resources?: readonly Resource[];
  createRouter?: () => Router;
  /** The maximum number of messages that one change may cause at once. */
  maxFanOut?: number;
  /** A unique string. */
  newRunId?: () => string;
}

/** Counters and state, for the process that runs the forwarder. */
export interface ForwarderStats {
  lists: number;
  watchFailures: number;
  /** The time of the server's last response, by a monotonic clock. */
  lastResponseMs: number;
  /** Everything has been listed, and changes are followed. */
  isFollowing: boolean;
}
