import { createRouter, watchedResources } from '../../lib/capabilities/all-capabilities.ts';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import type { OutgoingMessage } from '../../lib/queue/message-parts.ts';
import { type ResyncOptions, type ResyncReport, resync } from '../../lib/recovery/resync/resync.ts';
import type { Clock } from '../../lib/runtime/clock.ts';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';
import { ArrayQueue } from '../support/array-queue.ts';
import { makeHandlers } from '../support/in-process.ts';
import { ReadCounts } from '../support/read-counts.ts';

/** Time goes on only while somebody waits for it. */
export class WaitedClock implements Clock {
  private nowMs = 0;
  now = () => new Date();
  elapsedMs = () => this.nowMs;
  pause = async (milliseconds: number) => {
    await new Promise((resolve) => setImmediate(resolve));
    this.nowMs += milliseconds;
  };
}

/** As many messages as the deployment has one function work on at a time: ten invocations with ten each. */
const maxAtOnce = 100;

/** The functions and their queue in this process, and nobody who forwards anything. */
export class WithoutForwarder {
  private readonly kubeconfigPath: string;
  private readonly connections: Connection[] = [];
  private queue: ArrayQueue | undefined;
  private readonly log: string[] = [];

  constructor(kubeconfigPath: string) {
    this.kubeconfigPath = kubeconfigPath;
  }

  async start(): Promise<void> {
    const handlers = await makeHandlers({}, (name) => this.connect(name), new ReadCounts(), this.log);
    this.queue = new ArrayQueue(handlers, { maxAtOnce });
  }

  /** Resolves when everything that it has brought is worked on. Answers about whom there were messages. */
  async resync(more: Partial<ResyncOptions> = {}): Promise<{ report: ResyncReport; told: string[] }> {
    const told: string[] = [];
    const send = async (name: string, messages: OutgoingMessage[]) => {
      told.push(...messages.map(({ body }) => (JSON.parse(body) as { subject: string }).subject));
      return this.take(name, messages);
    };
    const report = await resync({
      cluster: 'test',
      api: await this.connect('resync'),
      routing: { resources: watchedResources, createRouter },
      send,
      clock: new WaitedClock(),
      log: { error: (message) => told.push(message) },
      signal: new AbortController().signal,
      ...more,
    });
    await this.settled();
    return { report, told };
  }

  take(name: string, messages: OutgoingMessage[]): number[] {
    return this.queue?.send(name, messages) ?? [];
  }

  async settled(): Promise<void> {
    await this.queue?.settled();
  }

  /** What the functions said about each message that they gave up on. */
  givenUp(): string[] {
    const given = this.queue?.deadLetters ?? [];
    return given.map(({ deduplicationId }) => this.log.findLast((line) => line.includes(deduplicationId)) ?? 'nothing');
  }

  stop(): void {
    for (const connection of this.connections) connection.close();
  }

  private async connect(account: string): Promise<Connection> {
    const connection = new Connection(accessFromKubeconfig(await functionKubeconfig(this.kubeconfigPath, account)));
    this.connections.push(connection);
    return connection;
  }
}
