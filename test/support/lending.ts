import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Jest's main process starts what tests share, when the first of them asks for it, and lends it to the workers. It so
 * outlives a worker that is started anew, and ends with the run, however that ends: see tools/processes/keeper.ts.
 */
export interface Lending {
  /** Nothing is lent any more. */
  stop(): void;
}

/** Where what is lent is to be asked for. */
export const lendings = { controlPlanes: 'LONGSHORE_TEST_CONTROL_PLANES', stacks: 'LONGSHORE_TEST_STACKS' };

/** What a worker is told of its control plane. */
export interface LentControlPlane {
  kubeconfigPath: string;
  auditLogPath?: string;
}

/** `start` answers what is to be known of what it has started for the worker of this number. */
export async function lend(variable: string, start: (worker: string) => Promise<unknown>): Promise<Lending> {
  const folder = mkdtempSync(join(tmpdir(), 'longshore-lending-'));
  const lent = new Map<string, Promise<unknown>>();
  const server = createServer(async ({ url = '' }, response) => {
    const worker = url.slice(1);
    const starting = lent.get(worker) ?? start(worker);
    lent.set(worker, starting);
    try {
      response.end(JSON.stringify(await starting));
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.stack : String(error));
    }
  });
  const socketPath = join(folder, 'socket');
  await listening(server, socketPath);
  // A run that is interrupted does not wait for it.
  server.unref();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // Jest's workers are processes of their own, which inherit the environment of the one that sets up.
  process.env[variable] = socketPath;
  return {
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}

/** What is lent to this worker, as soon as it has started. */
export function borrow<T>(variable: string): Promise<T> {
  const socketPath = process.env[variable];
  if (!socketPath) throw new Error(`${variable} is not set: run this with jest's project that needs it`);
  const path = `/${process.env.JEST_WORKER_ID ?? '1'}`;
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path }, async (incoming) => {
      const text = (await incoming.toArray()).join('');
      if (incoming.statusCode === 200) resolve(JSON.parse(text) as T);
      else reject(new Error(text));
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}
