import { existsSync, mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../processes/free-port.ts';
import { type KeptProcess, startKept } from '../processes/kept-process.ts';
import { findBinaries, type Program } from './binaries.ts';
import {
  controllerManagerArguments,
  etcdArguments,
  etcdSocket,
  type SharedFiles,
  serverArguments,
  writeSharedFiles,
} from './components.ts';
import { externalControlPlane } from './external.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { ask, PortTaken, until } from './readiness.ts';
import { versionOf } from './versions.ts';

export interface ControlPlane {
  readonly server: string;
  /** What Kubernetes it is, such as v1.36.3. */
  readonly version: string;
  /** An administrator's kubeconfig, with everything in it. */
  readonly kubeconfigPath: string;
  /** Metadata of every request, one JSON object a line, when it was asked for. */
  readonly auditLogPath?: string;
  /** False for a cluster that was given: nothing was started, and nothing is stopped. */
  readonly managed: boolean;
  restartApiServer(): Promise<void>;
  stop(): Promise<void>;
}

export interface ControlPlaneOptions {
  progress?: (line: string) => void;
  auditLog?: boolean;
  featureGates?: Record<string, boolean>;
  /** How many calls a second the controller manager allows itself; its own default when absent. */
  controllerQueriesPerSecond?: number;
}

const attempts = 5;

/** Starts a control plane of one's own: empty, on the loopback interface only, and gone with this process. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const given = process.env.LONGSHORE_KUBECONFIG;
  if (given) return externalControlPlane(given);
  const progress = options.progress ?? (() => {});
  const binaries = await findBinaries({ progress });
  for (let attempt = 1; ; attempt += 1) {
    try {
      const started = await new Starting(binaries, options).start();
      progress(`The control plane (${started.version}) is ready at ${started.server}`);
      return started;
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === attempts) throw error;
    }
  }
}

/** One attempt to start all components. */
class Starting {
  private readonly binaries: Record<Program, string>;
  private readonly options: ControlPlaneOptions;
  private readonly running: KeptProcess[] = [];
  private folder = '';

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
    // The process that keeps etcd removes the whole folder, should this process be killed; so it comes at once.
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
    await this.startControllerManager(
      files,
      await kubeconfig('controller-manager.kubeconfig', files.controllerManagerToken),
      port,
    );
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
      stop: () => this.stopAll(),
    };
  }

  private async startServer(files: SharedFiles, port: number): Promise<KeptProcess> {
    const { auditLog = false, featureGates = {} } = this.options;
    const args = serverArguments(files, port, { auditLog, featureGates });
    const folder = newFolder();
    const process = this.run('kube-apiserver', folder, args);
    const isReady = async () => (await ask(files, port, '/readyz')) === 200;
    await until('kube-apiserver', process, logIn(folder), isReady);
    return process;
  }

  private async startControllerManager(files: SharedFiles, kubeconfig: string, port: number): Promise<void> {
    const args = controllerManagerArguments(files, kubeconfig, this.options.controllerQueriesPerSecond);
    const folder = newFolder();
    const process = this.run('kube-controller-manager', folder, args);
    // It is at work when it has made the first thing that only it makes.
    const path = '/api/v1/namespaces/default/serviceaccounts/default';
    const isWorking = async () => (await ask(files, port, path)) === 200;
    await until('kube-controller-manager', process, logIn(folder), isWorking);
  }

  private run(program: Program, folder: string, args: string[]): KeptProcess {
    const kept = startKept({ command: this.binaries[program], args, environment: {}, folder, logPath: logIn(folder) });
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
