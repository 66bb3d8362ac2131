import { existsSync, mkdtempSync } from 'node:fs';
import { cp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../processes/free-port.ts';
import { type KeptProcess, startKept } from '../processes/kept-process.ts';
import {
  controllerManagerArguments,
  dataIn,
  etcdArguments,
  etcdSocket,
  type SharedFiles,
  serverArguments,
  writeSharedFiles,
} from './components.ts';
import type { ControlPlane, ControlPlaneOptions } from './control-plane-options.ts';
import { copyAtRest } from './copy.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import type { Program } from './programs.ts';
import { ask, until } from './readiness.ts';
import { versionOf } from './versions.ts';

/** Less garbage collection: at most 100 MB more memory, and a tenth less processor time. */
const lessCollecting = { GOGC: '300' };

/** One attempt to start all components. */
export class Starting {
  private readonly binaries: Record<Program, string>;
  private readonly options: ControlPlaneOptions;
  private readonly running: KeptProcess[] = [];
  private folder = '';
  /** The folder of etcd; another one after a restore. */
  private etcdFolder = '';

  constructor(binaries: Record<Program, string>, options: ControlPlaneOptions) {
    this.binaries = binaries;
    this.options = options;
  }

  async start(): Promise<ControlPlane> {
    try {
      return await this.startAll();
    } catch (error) {
      await this.stopAll();
      throw error;
    }
  }

  private async startAll(): Promise<ControlPlane> {
    const folder = newFolder();
    this.folder = folder;
    this.etcdFolder = folder;
    if (this.options.data) await cp(this.options.data, dataIn(folder), { recursive: true });
    // The keeper of etcd removes the whole folder if this process is killed; so it is started at once.
    const etcd = this.run('etcd', folder, etcdArguments(folder));
    const files = await writeSharedFiles(folder);
    await until('etcd', etcd, logIn(folder), async () => existsSync(etcdSocket(folder)));
    const port = await freePort();
    const server = `https://127.0.0.1:${port}`;
    const startServer = () => this.startServer(files, port);
    let apiServer = await startServer();
    const certificateAuthority = await readFile(files.servingCertificate, 'utf8');
    const kubeconfig = (name: string, token: string) =>
      writeKubeconfig(join(folder, name), { server, certificateAuthority, token });
    const kubeconfigPath = await kubeconfig('admin.kubeconfig', files.adminToken);
    const managerKubeconfig = await kubeconfig('controller-manager.kubeconfig', files.controllerManagerToken);
    const startManager = () => this.startControllerManager(files, managerKubeconfig, port);
    let manager = await startManager();
    return {
      server,
      version: await versionOf(this.binaries['kube-apiserver']),
      kubeconfigPath,
      managed: true,
      ...(this.options.auditLog ? { auditLogPath: files.auditLog } : {}),
      restartApiServer: async () => {
        await apiServer.stop();
        apiServer = await startServer();
      },
      backUp: async () => {
        // Without it there are no writes.
        await apiServer.stop();
        const copy = await copyAtRest(dataIn(this.etcdFolder));
        apiServer = await startServer();
        return copy;
      },
      restore: async (copy) => {
        for (const process of [manager, apiServer]) await process.stop();
        await this.startEtcd(copy);
        apiServer = await startServer();
        manager = await startManager();
      },
      stop: () => this.stopAll(),
    };
  }

  private async startServer(files: SharedFiles, port: number): Promise<KeptProcess> {
    const { auditLog = false, featureGates = {} } = this.options;
    const args = serverArguments({ ...files, folder: this.etcdFolder }, port, { auditLog, featureGates });
    const folder = newFolder();
    const process = this.run('kube-apiserver', folder, args);
    const isReady = async () => (await ask(files, port, '/readyz')) === 200;
    await until('kube-apiserver', process, logIn(folder), isReady);
    return process;
  }

  /** Starts an etcd for the copied data; the previous one keeps running, and is not called any more. */
  private async startEtcd(copy: string): Promise<void> {
    const folder = newFolder();
    await cp(copy, dataIn(folder), { recursive: true });
    const etcd = this.run('etcd', folder, etcdArguments(folder));
    await until('etcd', etcd, logIn(folder), async () => existsSync(etcdSocket(folder)));
    this.etcdFolder = folder;
  }

  private async startControllerManager(files: SharedFiles, kubeconfig: string, port: number): Promise<KeptProcess> {
    const args = controllerManagerArguments(files, kubeconfig, this.options.controllerQueriesPerSecond);
    const folder = newFolder();
    const process = this.run('kube-controller-manager', folder, args);
    // It is active once it has created the first object that only it creates.
    const path = '/api/v1/namespaces/default/serviceaccounts/default';
    const isWorking = async () => (await ask(files, port, path)) === 200;
    await until('kube-controller-manager', process, logIn(folder), isWorking);
    return process;
  }

  private run(program: Program, folder: string, args: string[]): KeptProcess {
    const command = this.binaries[program];
    const kept = startKept({ command, args, environment: lessCollecting, folder, logPath: logIn(folder) });
    this.running.push(kept);
    return kept;
  }

  private async stopAll(): Promise<void> {
    for (const process of this.running.splice(0).reverse()) await process.stop();
    if (this.folder) await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** A keeper removes its own folder, so it needs nothing in another's: that may be gone before it has even started. */
function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'longshore-control-plane-'));
}

function logIn(folder: string): string {
  return join(folder, 'log');
}
