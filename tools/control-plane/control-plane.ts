import { findBinaries } from './binaries.ts';
import { externalControlPlane } from './external.ts';
import { PortTaken } from './readiness.ts';
import { Starting } from './starting.ts';

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
  /** Copies all that is stored, and answers where the copy is; it goes with the control plane. */
  backUp(): Promise<string>;
  /** Puts a copy in the place of all that is stored now, as after a disaster of the cluster's own. */
  restore(copy: string): Promise<void>;
  stop(): Promise<void>;
}

export interface ControlPlaneOptions {
  progress?: (line: string) => void;
  auditLog?: boolean;
  featureGates?: Record<string, boolean>;
  /** Whether one is started even where a cluster is given: for whoever destroys what is in it. */
  own?: boolean;
  /** How many calls a second the controller manager allows itself; its own default when absent. */
  controllerQueriesPerSecond?: number;
}

const attempts = 5;

/** Starts a control plane of one's own: empty, on the loopback interface only, and gone with this process. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const given = process.env.LONGSHORE_KUBECONFIG;
  if (given && !options.own) return externalControlPlane(given);
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
