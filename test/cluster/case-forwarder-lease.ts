import { setTimeout as pause } from 'node:timers/promises';
import type { LeaseRecord } from '../../lib/forwarder/lease-record.ts';
import type { Connection } from '../../lib/kubernetes/connection.ts';
import { until } from '../support/patience.ts';
import type { History, LeaseSeen } from './case-forwarder-history.ts';
import { identity } from './case-forwarder-processes.ts';

const path = `/apis/coordination.k8s.io/v1/namespaces/longshore-system/leases/forward.${identity}`;
/** Far shorter than the time between two renewals. */
const pollMs = 50;

/** Looks at the forwarders' Lease all the time, and writes down each state of it. */
export class LeaseWatcher {
  private readonly connection: Connection;
  private readonly history: History;
  private readonly stopped = new AbortController();
  private watching: Promise<void> = Promise.resolve();
  private version: string | undefined;
  /** How often a holder was seen to renew it. */
  private renewals = 0;
  private latest: LeaseSeen | undefined;

  constructor(connection: Connection, history: History) {
    this.connection = connection;
    this.history = history;
  }

  start(): void {
    this.watching = this.watch();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.watching;
  }

  get checkpoint(): Record<string, string> {
    return this.latest?.checkpoint ?? {};
  }

  get transitions(): number {
    return this.latest?.transitions ?? 0;
  }

  /** Resolves when it has been renewed so many times more. */
  async untilRenewed(times: number): Promise<void> {
    const wanted = this.renewals + times;
    await until('somebody renews the lease', () => this.renewals >= wanted);
  }

  private async watch(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      // While the API server starts anew there is no answer.
      await this.look().catch(() => {});
      await pause(pollMs);
    }
  }

  private async look(): Promise<void> {
    const { status, body } = await this.connection.send({ method: 'GET', path });
    if (status !== 200) return;
    const { metadata, spec } = JSON.parse(body) as LeaseRecord;
    if (metadata.resourceVersion === this.version) return;
    this.version = metadata.resourceVersion;
    const checkpoint = JSON.parse(metadata.annotations?.['longshore.dev/checkpoint'] ?? '{}');
    const transitions = spec?.leaseTransitions ?? 0;
    if (this.latest?.transitions === transitions) this.renewals += 1;
    this.latest = { type: 'lease', checkpoint, transitions };
    this.history.push(this.latest);
  }
}
