import { randomBytes } from 'node:crypto';
import { type Archive, noArchive, type SegmentStore } from '../archive/archive.ts';
import { SegmentedArchive } from '../archive/segmented-archive.ts';
import { isLegalName } from '../kubernetes/resources.ts';
import type { DepthOf, SendBatch } from '../queue/lane-sender.ts';
import { Outbox } from '../queue/outbox.ts';
import type { WindowSizes } from '../queue/window.ts';
import type { Checkpoint } from './checkpoint.ts';
import { Forwarder } from './forwarder.ts';
import type { ForwarderOptions } from './forwarder-options.ts';
import { type Acquiring, Lease } from './lease.ts';

/** The longest a call to a queue takes: what is sent within the lease is accepted within the lease. */
export const sendLimitMs = 3_000;
/** Between two terms: longer than a call to a queue may take, so that none of the first is on its way in the second. */
export const pauseBetweenTermsMs = 4_000;
/** How long the last segment may take to be written. */
const lastSegmentMs = 3_000;

export interface LeadOptions extends Omit<ForwarderOptions, 'outbox' | 'since'> {
  /** Which deployment this is: each has its own lease, as it has its own queues. */
  identity: string;
  send: SendBatch;
  /** How much waits on a queue: with it no namespace can fill a queue for all others. */
  depthOf?: DepthOf | undefined;
  window?: WindowSizes | undefined;
  /** Where the archive is, if there is one. */
  store?: SegmentStore | undefined;
  leaseSeconds?: number;
  /** How many listed objects may wait to be sent; the others wait in place. */
  maxReady?: number;
  /** A name that no other process has; random by default. */
  holder?: string;
}

/** Throws where a deployment's name cannot be part of one. */
export function leaseNameFor(identity: string): string {
  const name = `forward.${identity}`;
  if (identity !== '' && isLegalName(name)) return name;
  const example = 'longshore-production.123456789012.eu-central-1';
  throw new Error(
    `LONGSHORE_IDENTITY must be lower-case letters, digits, "-" and ".", such as ${example}, because it names the lease in the cluster; but it is ${JSON.stringify(identity)}`,
  );
}

export function newHolder(identity: string): string {
  return `${identity}/${randomBytes(6).toString('hex')}`;
}

/** One time of being the one who forwards a cluster's changes. */
export interface Term {
  forwarder: Forwarder;
  outbox: Outbox;
  archive: Archive;
  lease: Lease;
}

/** `led`: it forwarded until the signal aborted it; `in-vain`: another one does, for longer than it pays to wait. */
export type Outcome = 'led' | 'in-vain' | 'stopped';

/** Forwards one cluster's changes, while no other forwarder does. */
export class Lead {
  private readonly options: LeadOptions;
  /** The same for each term: a process never waits for its own lease to expire. */
  private readonly holder: string;
  private currentTerm: Term | undefined;
  private latestTerm: Term | undefined;
  private waitingFor: Lease | undefined;

  constructor(options: LeadOptions) {
    this.options = options;
    this.holder = options.holder ?? newHolder(options.identity);
  }

  /** Undefined while it waits for its turn. */
  get term(): Term | undefined {
    return this.currentTerm;
  }

  /** The one that it has, or had last. */
  get lastTerm(): Term | undefined {
    return this.latestTerm;
  }

  /** Why it cannot lead, other than that another process leads. */
  get trouble(): Error | undefined {
    return this.waitingFor?.trouble;
  }

  /** Waits for its turn, and forwards until the signal aborts it, or the lease is lost: that is thrown. */
  async run(acquiring: Acquiring): Promise<Outcome> {
    const { api, clock, log, cluster, identity, leaseSeconds } = this.options;
    const lease = new Lease({
      connection: api,
      name: leaseNameFor(identity),
      holder: this.holder,
      clock,
      log,
      cluster,
      ...(leaseSeconds === undefined ? {} : { durationSeconds: leaseSeconds }),
    });
    this.waitingFor = lease;
    const acquired = await lease.acquire(acquiring);
    if (acquired.outcome !== 'held') return acquired.outcome;
    const term = this.begin(lease, acquired.checkpoint ?? {});
    this.currentTerm = term;
    this.latestTerm = term;
    try {
      await this.serve(term, acquiring.signal);
    } finally {
      this.currentTerm = undefined;
    }
    return 'led';
  }

  private begin(lease: Lease, since: Checkpoint): Term {
    const { cluster, clock, log, send, depthOf, window, store, maxReady } = this.options;
    const archive = store ? new SegmentedArchive({ cluster, store, clock, log }) : noArchive;
    const outbox = new Outbox({
      send,
      depthOf,
      window,
      clock,
      archive,
      maxReady,
      maySend: () => lease.isHeldFor(sendLimitMs),
      onFailure: (error) => log.error('queue refused messages', { cluster, error: String(error) }),
    });
    return { lease, archive, outbox, forwarder: new Forwarder({ ...this.options, outbox, since }) };
  }

  /** The lease is kept until the last message is in the archive: only then its checkpoint may pass them. */
  private async serve({ lease, forwarder, archive, outbox }: Term, signal: AbortSignal): Promise<void> {
    const end = new AbortController();
    const lost = new AbortController();
    const lose = (error: unknown) => {
      outbox.stop();
      lost.abort();
      throw error;
    };
    // What it fails with is looked at last, and until then must not count as an error that nobody cares for.
    const keeping = Promise.allSettled([lease.keep(end.signal, () => forwarder.checkpoint).catch(lose)]);
    const [ran] = await Promise.allSettled([forwarder.run(AbortSignal.any([signal, lost.signal]))]);
    const [written] = await Promise.allSettled([archive.close(lastSegmentMs)]);
    end.abort();
    const [kept] = await keeping;
    // What is still on its way may arrive for as long as a call may take: whoever is next waits for the end of the lease.
    if (outbox.stats.inFlight === 0) await lease.release(forwarder.checkpoint);
    const failure = [kept, ran, written].find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
  }
}
