import { setTimeout as pause } from 'node:timers/promises';
import type { SQSEvent } from 'aws-lambda';
import { matchTransfer } from '../../functions/match-transfer/step.ts';
import { rebindVolume } from '../../functions/rebind-volume/step.ts';
import { accessFromKubeconfig } from '../../lib/cluster/access/kubeconfig.ts';
import type { Cluster } from '../../lib/cluster/cluster.ts';
import { Connection } from '../../lib/cluster/connection.ts';
import type { ClusterObject } from '../../lib/cluster/objects.ts';
import { objectPath } from '../../lib/cluster/resources.ts';
import { RestCluster } from '../../lib/cluster/rest-cluster.ts';
import { Forwarder } from '../../lib/forwarder/forwarder.ts';
import { retryDelaySeconds } from '../../lib/queue/backoff.ts';
import type { OutgoingMessage } from '../../lib/queue/message.ts';
import { Outbox } from '../../lib/queue/outbox.ts';
import { createHandler, type Handler } from '../../lib/reconcile/serve.ts';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';

export interface InProcess {
  /** How often each function has been invoked. */
  readonly invocations: Record<string, number>;
  readonly log: string[];
  /** How often the object that was read most often was read in one invocation that met no conflict. */
  mostReadsOfOneObject(): number;
  stop(): Promise<void>;
}

const clusterName = 'test';

/**
 * The forwarder and the handlers in this process, with a queue of arrays between them that keeps the order within a group
 * and delivers a failed message again. Each part has its own connection and its own service account.
 */
export async function runInProcess(kubeconfigPath: string): Promise<InProcess> {
  const connections: Connection[] = [];
  const connect = async (functionName: string) => {
    const connection = new Connection(accessFromKubeconfig(await functionKubeconfig(kubeconfigPath, functionName)));
    connections.push(connection);
    return connection;
  };
  const log: string[] = [];
  const reads: number[] = [];
  const queue = new ArrayQueue();
  for (const step of [matchTransfer, rebindVolume]) {
    const cluster = new RestCluster(clusterName, await connect(step.name));
    const runtime = {
      cluster: async () => countingReads(cluster, (most) => reads.push(most)),
      forgetCredentials: () => {},
      postpone: async () => {},
      maxReceives: 8,
      log: logTo(log),
      now: () => new Date(),
    };
    queue.handlers.set(step.name, createHandler(step, runtime));
  }
  const abort = new AbortController();
  const outbox = new Outbox({
    send: async (name, messages) => queue.send(name, messages),
    pause: (milliseconds) => pause(milliseconds),
    onFailure: (error) => log.push(String(error)),
  });
  const running = new Forwarder({
    cluster: clusterName,
    connection: await connect('forward'),
    outbox,
    log: logTo(log),
    now: () => new Date(),
    pause: (milliseconds) => pause(milliseconds),
  }).run(abort.signal);
  return {
    invocations: queue.invocations,
    log,
    mostReadsOfOneObject: () => Math.max(0, ...reads),
    stop: async () => {
      abort.abort();
      await running;
      await queue.settled();
      for (const connection of connections) connection.close();
    },
  };
}

/** Counts from the beginning again after a conflict, since what has changed must be read again. */
function countingReads(cluster: Cluster, onRead: (most: number) => void): Cluster {
  const counts = new Map<string, number>();
  const startAgain = <T>(error: T) => {
    counts.clear();
    throw error;
  };
  return {
    name: cluster.name,
    get: (object) => {
      const path = objectPath(object);
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      onRead(count);
      return cluster.get(object);
    },
    list: (resource, namespace) => cluster.list(resource, namespace),
    create: (object, body) => cluster.create(object, body).catch(startAgain),
    patch: (object, body, options) => cluster.patch<ClusterObject>(object, body, options).catch(startAgain) as never,
    delete: (object, preconditions) => cluster.delete<ClusterObject>(object, preconditions).catch(startAgain) as never,
  };
}

function logTo(log: string[]) {
  const write = (message: string, fields: object = {}) => log.push(`${message} ${JSON.stringify(fields)}`);
  return { info: write, error: write };
}

class ArrayQueue {
  readonly handlers = new Map<string, Handler>();
  readonly invocations: Record<string, number> = {};
  private readonly lanes = new Map<string, Promise<void>>();

  send(name: string, messages: OutgoingMessage[]): number[] {
    for (const message of messages) {
      const before = this.lanes.get(message.groupId) ?? Promise.resolve();
      this.lanes.set(
        message.groupId,
        before.then(() => this.deliver(name, message)),
      );
    }
    return [];
  }

  async settled(): Promise<void> {
    await Promise.all(this.lanes.values());
  }

  private async deliver(name: string, message: OutgoingMessage): Promise<void> {
    for (let receiveCount = 1; receiveCount <= 8; receiveCount += 1) {
      this.invocations[name] = (this.invocations[name] ?? 0) + 1;
      const answer = await this.handlers.get(name)?.(eventOf(message, receiveCount));
      if (!answer || answer.batchItemFailures.length === 0) return;
      await pause(retryDelaySeconds(receiveCount) * 100);
    }
  }
}

function eventOf(message: OutgoingMessage, receiveCount: number): SQSEvent {
  const record = {
    messageId: message.deduplicationId,
    receiptHandle: message.deduplicationId,
    body: message.body,
    attributes: { MessageGroupId: message.groupId, ApproximateReceiveCount: String(receiveCount) },
  };
  return { Records: [record] } as unknown as SQSEvent;
}
