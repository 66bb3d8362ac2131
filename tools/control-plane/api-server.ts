import { existsSync, mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../processes/free-port.ts';
import { type KeptProcess, startKept } from '../processes/kept-process.ts';
import { findBinaries } from './binaries.ts';
import { etcdArguments, etcdSocket, type SharedFiles, serverArguments, writeSharedFiles } from './components.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { ask, until } from './readiness.ts';

export interface ApiServer {
  readonly address: string;
  readonly certificateAuthority: string;
  readonly token: string;
  /** An administrator's kubeconfig. */
  readonly kubeconfigPath: string;
  /** Kills it like a crash, and starts it again at the same address, with everything that had been stored. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A real API server with only etcd behind it, on the loopback interface and ended with this process: only the measured
 * programs write to it. Controllers would also process every claim repeatedly, and on a machine with few cores the
 * measurement would be of them.
 */
export async function startApiServer(progress: (line: string) => void = () => {}): Promise<ApiServer> {
  const binaries = await findBinaries({ progress });
  const folder = newFolder();
  const running = new Set<KeptProcess>();
  const run = (command: string, inFolder: string, args: string[]) => {
    const kept = startKept({ command, args, environment: {}, folder: inFolder, logPath: logIn(inFolder) });
    running.add(kept);
    return kept;
  };
  const end = async (kept: KeptProcess) => {
    running.delete(kept);
    await kept.stop();
  };
  const stop = async () => {
    for (const kept of [...running].reverse()) await end(kept);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  };
  try {
    const etcd = run(binaries.etcd, folder, etcdArguments(folder));
    const files = await writeSharedFiles(folder);
    await until('etcd', etcd, logIn(folder), async () => existsSync(etcdSocket(folder)));
    const port = await freePort();
    const args = serverArguments(files, port, { auditLog: false, featureGates: {} });
    const startServer = async () => {
      // The keeper removes the folder of an ended program, so each start needs a new one.
      const ofServer = newFolder();
      const kept = run(binaries['kube-apiserver'], ofServer, args);
      await until('kube-apiserver', kept, logIn(ofServer), async () => (await ask(files, port, '/readyz')) === 200);
      return kept;
    };
    let server = await startServer();
    const restart = async () => {
      await end(server);
      server = await startServer();
    };
    return { ...(await accessTo(files, port)), restart, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function accessTo(files: SharedFiles, port: number): Promise<Omit<ApiServer, 'restart' | 'stop'>> {
  const address = `https://127.0.0.1:${port}`;
  const certificateAuthority = await readFile(files.servingCertificate, 'utf8');
  const token = files.adminToken;
  const path = join(files.folder, 'admin.kubeconfig');
  const kubeconfigPath = await writeKubeconfig(path, { server: address, certificateAuthority, token });
  return { address, certificateAuthority, token, kubeconfigPath };
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'longshore-api-server-'));
}

function logIn(folder: string): string {
  return join(folder, 'log');
}
