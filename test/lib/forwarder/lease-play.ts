import type { Checkpoint } from '../../../lib/forwarder/checkpoint.ts';
import { Lease, LeaseLost, type LeaseOptions } from '../../../lib/forwarder/lease.ts';
import type { LeaseRecord } from '../../../lib/forwarder/lease-record.ts';
import { Machine, Time } from '../../support/simulated-time.ts';
import { type Fate, maxUnderWayMs, type Network, networkOf, smooth } from './lease-network.ts';
import { LeaseServer } from './lease-server.ts';

export type Act =
  | { kind: 'stop'; at: number; forMs: number }
  | { kind: 'kill' | 'release'; at: number }
  | { kind: 'jump'; at: number; byMs: number };

export interface Contender {
  startsAt: number;
  wallOffsetMs: number;
  upMs: number;
  acts: Act[];
}

export interface Plan {
  contenders: Contender[];
  /** Of the requests in the order in which they are sent, again from the first one after the last one. */
  fates: Fate[];
}

/** What a faulty variant gives the lease in the place of its surroundings, and of its own word. */
export interface Variant {
  surroundings?(given: LeaseOptions, network: Network, server: LeaseServer): Partial<LeaseOptions>;
  isHeld?(lease: Lease, network: Network, options: LeaseOptions): () => boolean;
}

const troubledMs = 90_000;
/** What is under way may be accepted this late, by nobody who is still there, and then lasts; then comes a poll, and its calls. */
const settledMs = troubledMs + maxUnderWayMs + 15_000 + 1_000 + 1_000;
const silentLog = { info: () => {}, error: () => {}, measure: () => {} };

/** Several forwarders of one cluster, in trouble at first, and what must hold all the time. */
export class LeasePlay {
  readonly time = new Time();
  readonly server = new LeaseServer();
  private readonly plan: Plan;
  private readonly variant: Variant;
  private readonly holding: { name: string; isHeld: () => boolean }[] = [];
  private readonly surprises: unknown[] = [];
  private requests = 0;
  private holders = 0;

  constructor(plan: Plan, variant: Variant = {}) {
    this.plan = plan;
    this.variant = variant;
    this.server.onWritten = (record, before) => this.checkWritten(record, before);
  }

  async run(): Promise<void> {
    // This one comes when all trouble is over, so that there always is somebody to have the lease in the end.
    const last: Contender = { startsAt: troubledMs, wallOffsetMs: 0, upMs: 0, acts: [] };
    for (const contender of [...this.plan.contenders, last]) this.start(contender);
    await this.time.runUntil(settledMs, () => this.check());
    if (this.held().length !== 1) throw new Error('nobody has it in the end');
  }

  private start({ startsAt, acts, ...options }: Contender): void {
    const machine = new Machine(this.time, options);
    const stop = new AbortController();
    this.holders += 1;
    const holder = `holder-${this.holders}`;
    this.time.at(
      startsAt,
      () => void this.contend(machine, holder, stop.signal).catch((error) => this.surprises.push(error)),
    );
    for (const act of acts) {
      this.time.at(act.at, () => {
        if (act.kind === 'stop') machine.stopFor(Math.min(act.forMs, troubledMs - this.time.nowMs));
        if (act.kind === 'kill') machine.kill();
        if (act.kind === 'release') machine.receive(() => stop.abort());
        if (act.kind === 'jump') machine.wallOffsetMs += act.byMs;
      });
    }
  }

  /** What a forwarder does: it goes on from the checkpoint that it finds, again and again. */
  private async contend(machine: Machine, holder: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const lease = this.leaseOn(machine, holder);
      try {
        const acquired = await lease.acquire({ signal });
        if (acquired.outcome !== 'held') return;
        let forwarded = numberIn(acquired.checkpoint);
        const checkpoint = () => {
          // In many a while nothing changes that would have to be forwarded.
          if (lease.isHeldFor(0)) forwarded += this.requests % 2;
          return { claims: String(forwarded) };
        };
        await lease.keep(signal, checkpoint);
        await lease.release(checkpoint());
      } catch (error) {
        const isUnreachable = signal.aborted && String(error).includes('ClusterError');
        if (!(error instanceof LeaseLost) && !isUnreachable) throw error;
      }
    }
  }

  private leaseOn(machine: Machine, holder: string): Lease {
    const network = networkOf(this.time, machine, this.server, () => this.nextFate());
    const given = { name: 'forwarder', holder, clock: machine.clock, log: silentLog, cluster: 'test' };
    const options: LeaseOptions = { ...given, connection: network as LeaseOptions['connection'] };
    const used = { ...options, ...this.variant.surroundings?.(options, network, this.server) };
    const lease = new Lease(used);
    const isHeld = this.variant.isHeld?.(lease, used.connection as Network, options) ?? (() => lease.isHeldFor(0));
    this.holding.push({ name: holder, isHeld });
    return lease;
  }

  private nextFate(): Fate {
    if (this.time.nowMs >= troubledMs) return smooth;
    this.requests += 1;
    return this.plan.fates[(this.requests - 1) % this.plan.fates.length] ?? smooth;
  }

  private held(): string[] {
    return [...new Set(this.holding.filter(({ isHeld }) => isHeld()).map(({ name }) => name))];
  }

  private check(): void {
    const held = this.held();
    if (held.length > 1) throw new Error(`${held.join(' and ')} have it at ${this.time.nowMs}`);
    if (this.surprises.length > 0) throw this.surprises[0];
  }

  private checkWritten(record: LeaseRecord, before: LeaseRecord | undefined): void {
    if (progressIn(record) >= progressIn(before)) return;
    this.surprises.push(new Error(`the checkpoint went back from ${progressIn(before)} to ${progressIn(record)}`));
  }
}

function progressIn(record: LeaseRecord | undefined): number {
  const text = record?.metadata.annotations?.['longshore.dev/checkpoint'];
  return text === undefined ? 0 : numberIn(JSON.parse(text));
}

function numberIn(checkpoint: Checkpoint | undefined): number {
  return Number(checkpoint?.claims ?? 0);
}
