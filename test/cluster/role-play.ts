import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Provisioner } from '../../lib/capabilities/buckets/steps/provision-bucket/provisioner.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Key } from '../../lib/kubernetes/resources.ts';
import type { Handler } from '../../lib/reconcile/serve.ts';
import type { Log, LogFields } from '../../lib/runtime/log.ts';
import { ClusterClient } from '../support/cluster-client.ts';

export const nothingFailed: SQSBatchResponse = { batchItemFailures: [] };

/** What users do, from the beginning of something to its end. */
export interface Scenario {
  /** Where the users are told what they wait for. */
  readonly told: string;
  /** For each function that is at work an Event that it alone records, and about which object. */
  readonly events: Readonly<Record<string, readonly [part: string, reason: string]>>;
  /** Makes what there is at the beginning. */
  set(client: ClusterClient): Promise<Scene>;
}

/** What one play is about, under names that no other one has. */
export interface Scene {
  isAbout(key: Key): boolean;
  /** One of its objects, as the scenario calls it. */
  object(part: string): ClusterObject;
  /** The drivers of its buckets; without them there is none. */
  readonly provisioner?: Provisioner;
  /** After how many deliveries a function gives up, where not after the usual ones. */
  readonly maxReceives?: number;
  /** How much later it is for the functions, for what they do only after some time. */
  readonly aheadMs?: number;
  act(play: Play): Promise<void>;
}

/** One scene, with what its functions log. It is over at its end, or when what was waited for is in the log. */
export class Play {
  readonly client: ClusterClient;
  readonly scene: Scene;
  /** The functions, as they are known to the cluster in this play. */
  readonly handlers: Record<string, Handler> = {};
  readonly lines: string[] = [];
  readonly log: Log;
  /** A new forwarder lists everything. */
  readonly resync: () => Promise<void>;
  private readonly delivered: Record<string, SQSEvent> = {};
  private readonly last: string | undefined;
  private readonly held = new Map<string, PromiseWithResolvers<void>>();
  private readonly working = new Map<string, Set<Promise<unknown>>>();
  private isOver = false;

  constructor(kubeconfigPath: string, scene: Scene, resync: () => Promise<void>, last?: string) {
    this.scene = scene;
    this.resync = resync;
    this.last = last;
    this.client = new Spectator(kubeconfigPath, () => this.isOver);
    const write = (message: string, fields: LogFields = {}) => this.take([message, ...Object.values(fields)].join(' '));
    this.log = { info: write, error: write, measure: () => {} };
  }

  async act(): Promise<void> {
    try {
      await this.scene.act(this);
    } catch (error) {
      if (!this.isOver) throw error;
    }
    this.end();
  }

  end(): void {
    this.isOver = true;
    for (const { resolve } of this.held.values()) resolve();
  }

  /** The function's messages wait until it is released, as on a queue that is slow; what it does already, it ends. */
  async hold(functionName: string): Promise<void> {
    this.held.set(functionName, Promise.withResolvers());
    await Promise.allSettled(this.working.get(functionName) ?? []);
  }

  release(functionName: string): void {
    this.held.get(functionName)?.resolve();
  }

  async handle(functionName: string, event: SQSEvent): Promise<SQSBatchResponse> {
    await this.held.get(functionName)?.promise;
    this.delivered[functionName] = event;
    const answer = await this.noting(functionName, this.handlers[functionName]?.(event));
    // What has been seen to fail need not be tried again.
    return this.isOver ? nothingFailed : (answer ?? nothingFailed);
  }

  /** A queue delivers at least once: what came last to a function comes once more. */
  async deliverAgain(functionName: string): Promise<void> {
    const event = this.delivered[functionName];
    if (!event) throw new Error(`nothing has been delivered to ${functionName} yet`);
    await this.handle(functionName, event);
  }

  private async noting<T>(functionName: string, work: Promise<T> | undefined): Promise<T | undefined> {
    if (!work) return undefined;
    const working = this.working.get(functionName) ?? new Set();
    this.working.set(functionName, working.add(work));
    return work.finally(() => working.delete(work));
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
