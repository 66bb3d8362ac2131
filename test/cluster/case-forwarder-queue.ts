import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Arrived, History } from './case-forwarder-history.ts';
import { answerTo, type Entry, reply, senderOf } from './case-forwarder-sqs.ts';

type Behaviour = 'well' | 'connections break' | 'answers are lost';
type Fault = Behaviour | 'throttled' | 'partly refused';

const deduplicatedForMs = 5 * 60_000;
const tryAgainMs = 50;
/** How often in a hundred calls something goes wrong in ordinary times. */
const faults = { answerLost: 2, throttled: 2, partlyRefused: 6 };

/** A stand-in for SQS in its JSON protocol, which takes messages of FIFO queues and can be cut off. */
export class QueueStandIn {
  private readonly history: History;
  private readonly taken = new Map<string, number>();
  private behaviour: Behaviour = 'well';
  private cutting: Promise<void> = Promise.resolve();
  private port = 0;
  private server: Server | undefined;

  constructor(history: History) {
    this.history = history;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.server = await this.listen();
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Cuts it off for so long. */
  cut(milliseconds: number): void {
    this.cutting = this.beCut(milliseconds / 3);
  }

  /** Resolves when it is not cut off any more. */
  untilWell(): Promise<void> {
    return this.cutting;
  }

  async stop(): Promise<void> {
    await this.cutting;
    await this.close();
  }

  /** Nobody is there first, then connections break, and at last what is sent is taken without an answer. */
  private async beCut(thirdMs: number): Promise<void> {
    await this.close();
    await pause(thirdMs);
    this.behaviour = 'connections break';
    await this.start();
    await pause(thirdMs);
    this.behaviour = 'answers are lost';
    await pause(thirdMs);
    this.behaviour = 'well';
  }

  private async close(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  private async listen(): Promise<Server> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => this.answer(request, response, Buffer.concat(chunks).toString('utf8')));
    });
    server.listen(this.port, '127.0.0.1');
    try {
      await once(server, 'listening');
      return server;
    } catch (error) {
      // A connection of somebody else's may have this port on its own side for a moment.
      if (this.port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      await pause(tryAgainMs);
      return this.listen();
    }
  }

  private answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const fault = this.faultOf();
    if (request.headers['x-amz-target'] === 'AmazonSQS.GetQueueAttributes') {
      if (fault === 'well') reply(response, 200, { Attributes: { ApproximateNumberOfMessages: '0' } });
      else request.socket.destroy();
      return;
    }
    const refused = this.takeAll(body, senderOf(request), fault);
    const { Entries } = JSON.parse(body) as { Entries: Entry[] };
    if (fault === 'connections break' || fault === 'answers are lost') request.socket.destroy();
    else if (fault === 'throttled') reply(response, 400, { __type: 'com.amazonaws.sqs#RequestThrottled' });
    else reply(response, 200, answerTo(Entries, refused));
  }

  private faultOf(): Fault {
    if (this.behaviour !== 'well') return this.behaviour;
    const drawn = Math.random() * 100;
    if (drawn < faults.answerLost) return 'answers are lost';
    if (drawn < faults.answerLost + faults.throttled) return 'throttled';
    return drawn < faults.answerLost + faults.throttled + faults.partlyRefused ? 'partly refused' : 'well';
  }

  /** Answers which ones it did not take. */
  private takeAll(body: string, sender: string, fault: Fault): Set<string> {
    const { Entries, QueueUrl } = JSON.parse(body) as { Entries: Entry[]; QueueUrl: string };
    const refused = Entries.filter(() => {
      if (fault === 'connections break' || fault === 'throttled') return true;
      return fault === 'partly refused' && Math.random() < 0.5;
    });
    for (const entry of Entries) if (!refused.includes(entry)) this.take(entry, QueueUrl, sender);
    return new Set(refused.map(({ Id }) => Id));
  }

  private take({ MessageBody, MessageGroupId, MessageDeduplicationId }: Entry, queueUrl: string, sender: string): void {
    const queue = queueUrl.slice(queueUrl.lastIndexOf('/') + 1);
    const id = `${queue} ${MessageGroupId} ${MessageDeduplicationId}`;
    const now = performance.now();
    const isDuplicate = now - (this.taken.get(id) ?? Number.NEGATIVE_INFINITY) < deduplicatedForMs;
    if (!isDuplicate) this.taken.set(id, now);
    const arrived: Arrived = {
      type: 'arrived',
      sender,
      queue,
      groupId: MessageGroupId,
      body: MessageBody,
      isDuplicate,
    };
    this.history.push(arrived);
  }
}
