import { Lease, type LeaseOptions } from '../../../lib/forwarder/lease.ts';
import type { LeaseRecord } from '../../../lib/forwarder/lease-record.ts';
import { Machine, Time } from '../../support/simulated-time.ts';
import { type Fate, networkOf, smooth } from './lease-network.ts';
import { LeaseServer } from './lease-server.ts';

export interface Settled {
  value?: unknown;
  error?: Error;
  atMs: number;
}

/** Leases of a few holders, for what can be said without chance. */
export class LeaseStage {
  readonly time = new Time();
  readonly server = new LeaseServer();
  readonly told: string[] = [];
  fate: Fate = smooth;

  lease(holder: string, options: Partial<LeaseOptions> & { wallOffsetMs?: number } = {}): Lease {
    const { wallOffsetMs = 0, ...given } = options;
    const machine = new Machine(this.time, { wallOffsetMs, upMs: 1_000_000 });
    const tell = (message: string) => void this.told.push(message);
    return new Lease({
      connection: networkOf(this.time, machine, this.server, () => this.fate) as LeaseOptions['connection'],
      name: 'forwarder',
      holder,
      clock: machine.clock,
      log: { info: tell, error: tell, measure: () => {} },
      cluster: 'test',
      ...given,
    });
  }

  /** Lets time pass until it is settled, at most until the given time. */
  async settle(promise: Promise<unknown>, byMs: number): Promise<Settled> {
    const settled: Partial<Settled> = {};
    promise.then(
      (value) => Object.assign(settled, { value, atMs: this.time.nowMs }),
      (error) => Object.assign(settled, { error, atMs: this.time.nowMs }),
    );
    await this.time.runUntil(byMs);
    const { atMs } = settled;
    if (atMs === undefined) throw new Error(`it is not settled at ${byMs} ms`);
    return { ...settled, atMs };
  }

  /** What an administrator does by hand. */
  edit(change: (record: LeaseRecord) => LeaseRecord): void {
    const { stored } = this.server;
    if (!stored) throw new Error('there is no lease to be edited');
    this.server.handle({ method: 'PUT', path: pathOfLease, body: change(structuredClone(stored)) });
  }
}

const pathOfLease = '/apis/coordination.k8s.io/v1/namespaces/longshore-system/leases/forwarder';
