import { randomBytes } from 'node:crypto';
import { type Archive, noArchive, type SegmentStore } from '../archive/archive.ts';
import { SegmentedArchive } from '../archive/segmented-archive.ts';
import type { DepthOf, SendBatch } from '../queue/lane-sender.ts';
import { Outbox } from '../queue/outbox.ts';
import type { WindowSizes } from '../queue/window.ts';
import type { Checkpoint } from './checkpoint.ts';
import { Forwarder } from './forwarder.ts';
import type { ForwarderOptions } from './forwarder-options.ts';
import { type Acquiring, Lease } from './lease.ts';
import type { NotesOfHolder } from './lease-hold.ts';
import { leaseNameFor } from './lease-name.ts';

/** The maximum duration of a call to a queue: a message sent within the lease is accepted within the lease. */
export const maxSendMs = 3_000;
/** Between two terms: longer than a call to a queue may take, so that no message of the first is in flight in the second. */
export const pauseBetweenTermsMs = 4_000;
/** The maximum duration of writing the last segment. */
const maxLastWriteMs = 3_000;

export interface ElectedForwarderOptions extends Omit<ForwarderOptions, 'outbox' | 'since'> {
  /** The deployment: each has its own lease, as it has its own queues. */
  identity: string;
  send: SendBatch;
  /** The number of messages waiting on a queue; keeps one namespace from filling a queue for all others. */
  depthOf?: DepthOf | undefined;
  window?: WindowSizes | undefined;
  /** The archive, if there is one. */
  store?: SegmentStore | undefined;
  leaseSeconds?: number;
  /** What it writes on its lease for operators, and what they ask for there. */
  notes?: NotesOfHolder | undefined;
  /** The queues end with their process: what another one put onto its own is lost, whatever the checkpoint says. */
  areQueuesInMemory?: boolean;
  /** The maximum number of listed objects that wait to be sent; the others wait in place. */
  maxReady?: number;
  /** A name that is unique to this process; random by default. */
  holder?: string;
}

export function newHolder(identity: string): string {
  return `${identity}/${randomBytes(6).toString('hex')}`;
}

/** One period in which this process holds the lease and forwards a cluster's changes. */
export interface LeadershipTerm {
  forwarder: Forwarder;
  outbox: Outbox;
  archive: Archive;
  lease: Lease;
}

/**
 * `led`: it forwarded until the signal aborted it; `another-leads`: another process does, for longer than is worth
 * waiting for.
 */
export type RunOutcome = 'led' | 'another-leads' | 'stopped';

/** Forwards one cluster's changes while it holds the lease. */
export class ElectedForwarder {
  private readonly options: ElectedForwarderOptions;
  /** The same for each term: a process never waits for its own lease to expire. */
  private readonly holder: string;
  private currentTerm: LeadershipTerm | undefined;
  private latestTerm: LeadershipTerm | undefined;
  private waitingFor: Lease | undefined;

  constructor(options: ElectedForwarderOptions) {
    this.options = options;
    this.holder = options.holder ?? newHolder(options.identity);
  }

  /** Undefined while it waits for the lease. */
  get term(): LeadershipTerm | undefined {
    return this.currentTerm;
  }

  /** The current term, or otherwise the last one. */
  get lastTerm(): LeadershipTerm | undefined {
    return this.latestTerm;
  }

  /** The reason it cannot lead, other than that another process leads. */
  get acquireError(): Error | undefined {
    return this.waitingFor?.acquireError;
  }

  /** Waits for the lease, and forwards until the signal aborts it. Throws if the lease is lost. */
  async run(acquiring: Acquiring): Promise<RunOutcome> {
    const { api, clock, log, cluster, identity, leaseSeconds, notes } = this.options;
    const lease = new Lease({
      connection: api,
      name: leaseNameFor(identity),
      holder: this.holder,
      clock,
      log,
      cluster,
      notes,
      ...(leaseSeconds === undefined ? {} : { durationSeconds: leaseSeconds }),
    });
    this.waitingFor = lease;
    const acquired = await lease.acquire(acquiring);
    if (acquired.outcome !== 'held') return acquired.outcome;
    const since = this.options.areQueuesInMemory ? undefined : acquired.checkpoint;
    const term = this.beginTerm(lease, since ?? {});
    this.currentTerm = term;
    this.latestTerm = term;
    try {
      await this.runTerm(term, acquiring.signal);
    } finally {
      this.currentTerm = undefined;
    }
    return 'led';
  }

  private beginTerm(lease: Lease, since: Checkpoint): LeadershipTerm {
    const { cluster, clock, log, send, depthOf, window, store, maxReady } = this.options;
    const archive = store ? new SegmentedArchive({ cluster, store, clock, log }) : noArchive;
    const outbox = new Outbox({
      send,
      depthOf,
      window,
      clock,
      archive,
      maxReady,
      maySend: () => lease.isHeldFor(maxSendMs),
      onFailure: (error) => log.error('queue refused messages', { cluster, error: String(error) }),
    });
    return { lease, archive, outbox, forwarder: new Forwarder({ ...this.options, outbox, since }) };
  }

  /** Keeps the lease until the last message is in the archive: only then may its checkpoint pass them. */
  private async runTerm({ lease, forwarder, archive, outbox }: LeadershipTerm, signal: AbortSignal): Promise<void> {
    const end = new AbortController();
    const lost = new AbortController();
    const lose = (error: unknown) => {
      outbox.stop();
      lost.abort();
      throw error;
    };
    // Its failure is handled last, and must not count as an unhandled rejection until then.
    const keeping = Promise.allSettled([lease.keep(end.signal, () => forwarder.checkpoint).catch(lose)]);
    const [ran] = await Promise.allSettled([forwarder.run(AbortSignal.any([signal, lost.signal]))]);
    const [written] = await Promise.allSettled([archive.close(maxLastWriteMs)]);
    end.abort();
    const [kept] = await keeping;
    // Messages still in flight may arrive for as long as a call may take: then the next holder waits for the lease to expire.
    if (outbox.stats.inFlight === 0) await lease.release(forwarder.checkpoint);
    const failure = [kept, ran, written].find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
  }
}
