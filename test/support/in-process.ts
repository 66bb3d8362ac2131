import type { Provisioner } from '../../lib/capabilities/buckets/steps/provision-bucket/provisioner.ts';
import { Forwarder } from '../../lib/forwarder/forwarder.ts';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { RestCluster } from '../../lib/kubernetes/rest-cluster.ts';
import { Outbox } from '../../lib/queue/outbox.ts';
import { createHandler, type Handler } from '../../lib/reconcile/serve.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import type { Log } from '../../lib/runtime/log.ts';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';
import { ArrayQueue, maxReceives } from './array-queue.ts';
import { ReadCounts } from './read-counts.ts';
import { stepsWith } from './steps.ts';

export interface InProcess {
  /** How often each function has been invoked. */
  readonly invocations: Record<string, number>;
  readonly log: string[];
  /** How often the object that was read most often was read in one invocation that met no conflict. */
  maxReadsOfOneObject(): number;
  /** The number of objects that are sent again each minute; many, until everything has been listed. */
  unfinished(): number;
  /** Resolves when everything has been listed. */
  listed(): Promise<void>;
  stop(): Promise<void>;
}

export interface InProcessOptions {
  /** Handlers that are elsewhere; without them they are in this process. */
  handlers?: Record<string, Handler>;
  /** By which service account a function is known to the cluster; its own name without it. */
  accountOf?: (functionName: string) => string;
  /** The drivers of buckets; without them there is none. */
  provisioner?: Provisioner;
  /** The clock of the handlers, for what rests longer than a test can wait. */
  now?: () => Date;
  /** How many messages one change may become at once, where not as many as usual. */
  maxFanOut?: number;
  /** After how many deliveries the handlers give up, where not after as many as the queue delivers. */
  givesUpAfter?: number;
}

const clusterName = 'test';

/** The forwarder and the handlers in this process, each with its own connection and its own service account. */
export async function runInProcess(kubeconfigPath: string, options: InProcessOptions = {}): Promise<InProcess> {
  const connections: Connection[] = [];
  const connect = async (functionName: string) => {
    const account = options.accountOf?.(functionName) ?? functionName;
    const access = accessFromKubeconfig(await functionKubeconfig(kubeconfigPath, account));
    const connection = new Connection(access, { userAgent: `longshore/${functionName}` });
    connections.push(connection);
    return connection;
  };
  const log: string[] = [];
  const reads = new ReadCounts();
  const queue = new ArrayQueue(options.handlers ?? (await makeHandlers(options, connect, reads, log)));
  const abort = new AbortController();
  const forwarder = new Forwarder({
    cluster: clusterName,
    api: await connect('forward'),
    outbox: new Outbox({
      send: async (name, messages) => queue.send(name, messages),
      clock: realClock,
      onFailure: (error) => log.push(String(error)),
    }),
    log: logTo(log),
    clock: realClock,
    ...(options.maxFanOut === undefined ? {} : { maxFanOut: options.maxFanOut }),
  });
  const running = forwarder.run(abort.signal);
  return {
    invocations: queue.invocations,
    log,
    maxReadsOfOneObject: () => reads.most,
    unfinished: () => (forwarder.stats.lists === 0 ? Number.POSITIVE_INFINITY : forwarder.unfinished),
    listed: async () => {
      while (forwarder.stats.lists === 0) await realClock.pause(10);
    },
    stop: async () => {
      abort.abort();
      // One that failed to start has told so where it matters.
      await running.catch((error) => log.push(String(error)));
      await queue.settled();
      for (const connection of connections) connection.close();
    },
  };
}

/** The handlers of all functions, each with its own connection and service account, for whoever brings their messages. */
export async function makeHandlers(
  { provisioner, now = () => new Date(), givesUpAfter = maxReceives }: InProcessOptions,
  connect: (name: string) => Promise<Connection>,
  reads: ReadCounts,
  log: string[],
) {
  const handlers: Record<string, Handler> = {};
  for (const step of stepsWith(provisioner)) {
    const cluster = new RestCluster(clusterName, await connect(step.name));
    handlers[step.name] = createHandler(step, {
      cluster: async (_, trace) => reads.counting(cluster.within({ trace })),
      forgetCredentials: () => {},
      postpone: async () => {},
      maxReceives: givesUpAfter,
      log: logTo(log),
      now,
    });
  }
  return handlers;
}

function logTo(log: string[]): Log {
  const write = (message: string, fields: object = {}) => log.push(`${message} ${JSON.stringify(fields)}`);
  return { info: write, error: write, measure: (measurement) => write('measured', measurement) };
}
