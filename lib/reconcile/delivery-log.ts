import type { Origin } from '../queue/envelope.ts';
import type { Delivery } from '../queue/received-batch.ts';
import { reasonOf } from '../runtime/failure.ts';
import { failureFields } from '../runtime/failure-fields.ts';
import { type Log, type LogFields, type LogFunction, withFields } from '../runtime/log.ts';
import type { Measurement } from '../runtime/metrics.ts';
import { redactedMessageOf } from '../runtime/redaction.ts';
import { type ChangeTrace, traceOf } from '../runtime/tracing.ts';
import type { BatchStats } from './batch-stats.ts';
import type { Outcomes } from './failing-keys.ts';
import type { Trace } from './reconcile.ts';

type Delivered = Delivery<{ origin: Origin }>;

/** Before it is on the queue, a change waits in a forwarder for its turn: seldom for long. */
const maxSendingMs = 60 * 60_000;

/** The function that works on it, and who else is told how it ends. */
export interface ToldOutcomes {
  name: string;
  outcomes?: Outcomes | undefined;
}

/** Logs one delivery of a message, so that each line names the change it belongs to. */
export class DeliveryLog {
  /** The trace of the change; a hand-made message begins one, which is the same for each of its deliveries. */
  readonly trace: ChangeTrace;
  private readonly delivery: Delivered;
  private readonly origin: Origin;
  private readonly stats: BatchStats;
  private readonly now: () => Date;
  private log: Log;
  private cluster: string | undefined;
  private readonly told: ToldOutcomes;
  private fields: LogFields = {};

  constructor(delivery: Delivered, log: Log, stats: BatchStats, now: () => Date, told: ToldOutcomes = { name: '' }) {
    this.told = told;
    this.origin = delivery.content.origin;
    this.trace = traceOf(this.origin.traceparent, String(delivery.messageId));
    this.delivery = delivery;
    this.stats = stats;
    this.now = now;
    const { correlation, runId } = this.origin;
    const { messageId, receiveCount } = delivery;
    this.log = withFields(log, { messageId, delivery: receiveCount, trace: this.trace.id, correlation, runId });
  }

  /** Sets the object of the message, once it is known; later log lines include it. */
  about(cluster: string, fields: LogFields): void {
    this.cluster = cluster;
    this.fields = fields;
    this.log = withFields(this.log, { cluster, ...fields });
  }

  get debug(): LogFunction | undefined {
    return this.log.debug;
  }

  info(message: string, fields?: LogFields): void {
    this.log.info(message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.log.error(message, fields);
  }

  readonly wrote: Trace = (line) => {
    this.log.info('write', line);
    if (this.cluster !== undefined) this.stats.wrote(this.cluster, line.result);
  };

  /** Emits the measurements of a step, by cluster first. */
  readonly measure = (measurement: Measurement): void => {
    this.log.measure({ ...measurement, dimensions: { Cluster: this.cluster ?? '', ...measurement.dimensions } });
  };

  /**
   * The age of the change; undefined for messages that are sent again, whose change is of unknown age. The sender's
   * time is limited to what is possible by the time at which the queue received the message, and is not used if no
   * queue reports that.
   */
  private get ageMs(): number | undefined {
    const { origin, delivery } = this;
    if (!origin.time || origin.runId !== undefined || !delivery.sentAt) return undefined;
    const changedAt = Math.max(origin.time.getTime(), delivery.sentAt.getTime() - maxSendingMs);
    return this.now().getTime() - changedAt;
  }

  handled(): void {
    this.stats.handled(this.cluster, this.delivery.receiveCount, this.ageMs);
    const { name, outcomes } = this.told;
    outcomes?.ended(name, this.group);
  }

  failed(error: unknown, isLast: boolean): void {
    this.log.error('message failed', failureFields(error, this.log));
    this.stats.failed(this.cluster, this.delivery.receiveCount, error, isLast);
    const { told, fields, group } = this;
    const [kind, key] = [fields.kind, fields.key].map((each) => (typeof each === 'string' ? each : undefined));
    const failed = { function: told.name, group, kind, key, reason: reasonOf(error), error: redactedMessageOf(error) };
    told.outcomes?.failed(failed);
  }

  private get group(): string {
    return this.delivery.groupId ?? '';
  }
}
