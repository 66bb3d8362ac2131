import { randomUUID } from 'node:crypto';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Jest's main process starts what tests share, when the first of them asks for it, and lends it to the workers. It so
 * outlives a worker that is started anew, and ends with the run, however that ends: see tools/processes/keeper.ts.
 */
export interface Lending {
  /** Nothing is lent any more. */
  stop(): void;
}

/** Where what is lent is to be asked for. */
export const lendings = {
  controlPlanes: 'LONGSHORE_TEST_CONTROL_PLANES',
  preparedData: 'LONGSHORE_TEST_PREPARED_DATA',
  stacks: 'LONGSHORE_TEST_STACKS',
};

/** What a worker is told of its control plane. */
export interface LentControlPlane {
  kubeconfigPath: string;
  auditLogPath?: string;
}

/** What control planes of this run begin with: a copy of etcd's data, if a control plane could be started for it. */
export interface LentData {
  data?: string;
}

/** `start` answers what is to be known of what it has started for the worker of this number, or under this name. */
export async function lend(variable: string, start: (name: string) => Promise<unknown>): Promise<Lending> {
  const lent = new Map<string, Promise<unknown>>();
  // Keys to what is lent are among what is told: nobody else on this machine knows where to ask.
  const secret = randomUUID();
  const server = createServer(async ({ url = '' }, response) => {
    const [, given, name = ''] = url.split('/');
    if (given !== secret) return response.writeHead(404).end();
    const starting = lent.get(name) ?? start(name);
    lent.set(name, starting);
    try {
      return response.end(JSON.stringify(await starting));
    } catch (error) {
      return response.writeHead(500).end(error instanceof Error ? error.stack : String(error));
    }
  });
  const port = await listening(server);
  // A run that is interrupted does not wait for it.
  server.unref();
  // Jest's workers are processes of their own, which inherit the environment of the one that sets up.
  process.env[variable] = `http://127.0.0.1:${port}/${secret}`;
  return {
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** What is lent to this worker, or under this name to all of them, as soon as it has started. */
export function borrow<T>(variable: string, name = process.env.JEST_WORKER_ID ?? '1'): Promise<T> {
  const address = process.env[variable];
  if (!address) throw new Error(`${variable} is not set: run this with jest's project that needs it`);
  return new Promise((resolve, reject) => {
    const outgoing = get(`${address}/${name}`, { agent: false }, async (incoming) => {
      const text = (await incoming.toArray()).join('');
      if (incoming.statusCode === 200) resolve(JSON.parse(text) as T);
      else reject(new Error(text));
    });
    outgoing.once('error', reject);
  });
}
