import { startApiServer } from '../../tools/control-plane/api-server.ts';
import { ApiRequests } from './api-requests.ts';
import { Arrivals } from './arrivals.ts';
import { Claims, namespaceOfClaims } from './claims.ts';
import { type Contender, leasePath, type Surroundings, systemNamespace } from './contenders.ts';
import { type ForwarderProcess, startForwarder } from './forwarder-process.ts';
import type { QueueStandIn } from './queue/queue-stand-in.ts';

/** The environment of one measurement: an API server without earlier writes, and the queue. */
export interface Site {
  surroundings: Surroundings;
  queue: QueueStandIn;
  claims: Claims;
  progress: (line: string) => void;
  /** Removes the checkpoint of a forwarder. */
  forget: () => Promise<void>;
}

const connections = 48;

export async function withSite<T>(
  queue: QueueStandIn,
  progress: (line: string) => void,
  work: (site: Site) => Promise<T>,
): Promise<T> {
  const server = await startApiServer(progress);
  const requests = new ApiRequests(server, connections);
  try {
    const system = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: systemNamespace } };
    for (const namespace of [namespaceOfClaims, system]) await requests.create('/api/v1/namespaces', namespace);
    const surroundings = { kubeconfigPath: server.kubeconfigPath, queueUrl: queue.url };
    const forget = () => requests.deleteIfThere(leasePath);
    return await work({ surroundings, queue, claims: new Claims(requests), progress, forget });
  } finally {
    requests.close();
    await server.stop();
  }
}

/** Runs a forwarder meanwhile. */
export async function withForwarder<T>(
  { surroundings, queue, claims }: Site,
  contender: Contender,
  work: (process: ForwarderProcess, arrivals: Arrivals) => Promise<T>,
): Promise<T> {
  const process = await startForwarder(contender, surroundings);
  try {
    return await work(process, new Arrivals(queue, contender.reader(claims.ledger)));
  } finally {
    await process.stop();
  }
}
