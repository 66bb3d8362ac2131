import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { type ApiServer, startApiServer } from '../../tools/control-plane/api-server.ts';
import { applyManifests, functionKubeconfig } from '../../tools/control-plane/manifests.ts';
import { Changes } from './case-forwarder-changes.ts';
import type { History } from './case-forwarder-history.ts';
import { LeaseWatcher } from './case-forwarder-lease.ts';
import { ArrivedIds, idOf } from './case-forwarder-messages.ts';
import { namespace } from './case-forwarder-objects.ts';
import { ForwarderProcesses } from './case-forwarder-processes.ts';
import { QueueStandIn } from './case-forwarder-queue.ts';
import { Wire } from './case-forwarder-wire.ts';

/** An API server, the wire to it, a queue, two forwarders and those who change objects, each of them to be disturbed on its own. */
export interface Stage {
  history: History;
  server: ApiServer;
  wire: Wire;
  queue: QueueStandIn;
  lease: LeaseWatcher;
  processes: ForwarderProcesses;
  changes: Changes;
}

/** What is started is stopped, whatever becomes of the work. */
export async function withStage(changes: number, work: (stage: Stage) => Promise<void>): Promise<void> {
  const ends: (() => unknown)[] = [];
  try {
    await work(await start(changes, ends));
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function start(total: number, ends: (() => unknown)[]): Promise<Stage> {
  const history: History = [];
  const server = await startApiServer();
  ends.push(() => server.stop());
  await applyManifests(server.kubeconfigPath);
  const connection = new Connection(accessFromKubeconfig(await readFile(server.kubeconfigPath, 'utf8')));
  ends.push(() => connection.close());
  await connection.send({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } });
  const wire = new Wire(server.address);
  ends.push(() => wire.stop());
  const kubeconfigPath = await kubeconfigThrough(wire, server, ends);
  const queue = new QueueStandIn(history);
  await queue.start();
  ends.push(() => queue.stop());
  const lease = new LeaseWatcher(connection, history);
  lease.start();
  ends.push(() => lease.stop());
  const arrived = new ArrivedIds(history);
  const changes = new Changes(connection, total, (going) => arrived.has(idOf(going, going.concerning.at(-1) ?? 0)));
  ends.push(() => changes.stop());
  const processes = new ForwarderProcesses({ kubeconfigPath, queueAddress: queue.address });
  ends.push(() => processes.stop());
  await Promise.all([processes.start(), processes.start()]);
  return { history, server, wire, queue, lease, processes, changes };
}

/** With the forwarder's own permissions. */
async function kubeconfigThrough(wire: Wire, server: ApiServer, ends: (() => unknown)[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-killed-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'forward.kubeconfig');
  const direct = await functionKubeconfig(server.kubeconfigPath, 'forward');
  await writeFile(path, direct.replace(server.address, await wire.start()), { mode: 0o600 });
  return path;
}
