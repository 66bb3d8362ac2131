import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Log, LogFields } from '../../lib/log.ts';
import type { Handler } from '../../lib/reconcile/serve.ts';
import { ClusterClient, type Shape, type Transfer } from '../support/cluster-client.ts';

export const nothingFailed: SQSBatchResponse = { batchItemFailures: [] };

/** What users do in one transfer, from its beginning to its end. */
export interface Scenario {
  readonly shape?: Shape;
  /** Where the users are told what their transfer waits for. */
  readonly told: 'request' | 'source';
  /** For each function that is at work an Event that it alone records, and about which object. */
  readonly events: Readonly<Record<string, readonly ['volume' | 'target' | 'request' | 'approval', string]>>;
  act(play: Play): Promise<void>;
}

/** One transfer, with what its functions log. It is over at its end, or when what was waited for is in the log. */
export class Play {
  readonly client: ClusterClient;
  readonly transfer: Transfer;
  /** The functions, as they are known to the cluster in this transfer. */
  readonly handlers: Record<string, Handler> = {};
  readonly lines: string[] = [];
  readonly log: Log;
  /** A new forwarder lists everything. */
  readonly resync: () => Promise<void>;
  private readonly delivered: Record<string, SQSEvent> = {};
  private readonly last: string | undefined;
  private isOver = false;

  constructor(kubeconfigPath: string, transfer: Transfer, resync: () => Promise<void>, last?: string) {
    this.transfer = transfer;
    this.resync = resync;
    this.last = last;
    this.client = new Spectator(kubeconfigPath, () => this.isOver);
    const write = (message: string, fields: LogFields = {}) => this.take([message, ...Object.values(fields)].join(' '));
    this.log = { info: write, error: write, measure: () => {} };
  }

  async act(scenario: Scenario): Promise<void> {
    try {
      await scenario.act(this);
    } catch (error) {
      if (!this.isOver) throw error;
    }
    this.end();
  }

  end(): void {
    this.isOver = true;
  }

  async handle(functionName: string, event: SQSEvent): Promise<SQSBatchResponse> {
    this.delivered[functionName] = event;
    const answer = await this.handlers[functionName]?.(event);
    // What has been seen to fail need not be tried again.
    return this.isOver ? nothingFailed : (answer ?? nothingFailed);
  }

  /** A queue delivers at least once: what came last to a function comes once more. */
  async deliverAgain(functionName: string): Promise<void> {
    const event = this.delivered[functionName];
    if (!event) throw new Error(`nothing has been delivered to ${functionName} yet`);
    await this.handle(functionName, event);
  }

  private take(line: string): void {
    this.lines.push(line);
    if (this.last !== undefined && line.includes(this.last)) this.end();
  }
}

/** A user who waits for nothing any more when the play is over. */
class Spectator extends ClusterClient {
  private readonly isOver: () => boolean;

  constructor(kubeconfigPath: string, isOver: () => boolean) {
    super(kubeconfigPath);
    this.isOver = isOver;
  }

  override get: ClusterClient['get'] = async (reference) => {
    if (this.isOver()) throw new Error('the play is over');
    return super.get(reference);
  };
}
