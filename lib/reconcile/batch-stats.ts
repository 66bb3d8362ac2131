import { type FailureReason, measuredFailures, reasonOf } from '../runtime/failure.ts';
import type { Measurement } from '../runtime/metrics.ts';

/** A cluster that only a message names is never a value of a dimension: each value costs. */
const unknownCluster = 'unknown';
const ofNoCluster: readonly FailureReason[] = ['Malformed', 'LaterMessage', 'UnknownCluster'];

interface OfCluster {
  handled: number;
  givenUp: number;
  writes: number;
  conflicts: number;
  agesMs: number[];
  deliveries: number[];
  failures: Map<FailureReason, number>;
}

/** Counted while a batch is processed, and logged in one line for each cluster at the end. */
export class BatchStats {
  private readonly functionName: string;
  private readonly clusters = new Map<string, OfCluster>();

  constructor(functionName: string) {
    this.functionName = functionName;
  }

  handled(cluster: string | undefined, deliveries: number, ageMs: number | undefined): void {
    const stats = this.of(cluster ?? unknownCluster);
    stats.handled += 1;
    stats.deliveries.push(deliveries);
    if (ageMs !== undefined) stats.agesMs.push(Math.max(0, ageMs));
  }

  failed(cluster: string | undefined, deliveries: number, error: unknown, isLast: boolean): void {
    const reason = reasonOf(error);
    const stats = this.of(ofNoCluster.includes(reason) ? unknownCluster : (cluster ?? unknownCluster));
    stats.failures.set(reason, (stats.failures.get(reason) ?? 0) + 1);
    stats.deliveries.push(deliveries);
    if (isLast) stats.givenUp += 1;
  }

  /** The result of a write: `ok`, or the reason why not. */
  wrote(cluster: string, result: string): void {
    if (result === 'ok') this.of(cluster).writes += 1;
    if (['gone', 'exists', 'conflict'].includes(result)) this.of(cluster).conflicts += 1;
  }

  measurements(): Measurement[] {
    return [...this.clusters].flatMap(([cluster, stats]) => this.measurementsOf(cluster, stats));
  }

  private measurementsOf(cluster: string, stats: OfCluster): Measurement[] {
    const { handled, givenUp, writes, conflicts, agesMs, deliveries, failures } = stats;
    const dimensions = { Cluster: cluster, Function: this.functionName };
    const count = (name: Measurement['name'], value: number | number[]): Measurement => {
      return { name, unit: 'Count', value, dimensions };
    };
    return [
      count('MessagesHandled', handled),
      count('MessagesGivenUp', givenUp),
      count('MessageDeliveries', deliveries),
      ...(agesMs.length > 0 ? [{ ...count('MessageAge', agesMs), unit: 'Milliseconds' as const }] : []),
      count('ClusterWrites', writes),
      count('ClusterConflicts', conflicts),
      ...[...failures].flatMap(([reason, value]) =>
        measuredFailures(value, { Cluster: cluster, Reason: reason, Function: this.functionName }),
      ),
    ];
  }

  private of(cluster: string): OfCluster {
    const known = this.clusters.get(cluster);
    if (known) return known;
    const stats = {
      handled: 0,
      givenUp: 0,
      writes: 0,
      conflicts: 0,
      agesMs: [],
      deliveries: [],
      failures: new Map(),
    };
    this.clusters.set(cluster, stats);
    return stats;
  }
}
