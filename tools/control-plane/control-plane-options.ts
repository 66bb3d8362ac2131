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
