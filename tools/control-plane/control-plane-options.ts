export interface ControlPlane {
  readonly server: string;
  /** The version of Kubernetes, such as v1.36.3. */
  readonly version: string;
  /** A self-contained kubeconfig of an administrator. */
  readonly kubeconfigPath: string;
  /** The metadata of every request, one JSON object per line, if requested. */
  readonly auditLogPath?: string;
  /** False for a given cluster: nothing was started, and nothing is stopped. */
  readonly managed: boolean;
  restartApiServer(): Promise<void>;
  /** Copies everything that is stored, and returns the folder of the copy, which is removed with the control plane. */
  backUp(): Promise<string>;
  /** Replaces everything that is stored by a copy, as in disaster recovery. */
  restore(copy: string): Promise<void>;
  stop(): Promise<void>;
}

export interface ControlPlaneOptions {
  progress?: (line: string) => void;
  auditLog?: boolean;
  featureGates?: Record<string, boolean>;
  /** True to start one even if a cluster is given: for tests that destroy its contents. */
  own?: boolean;
  /** What is stored in the beginning: a copy that another one made of its data. Without it there is nothing. */
  data?: string;
  /** The rate limit of the controller manager's calls; by default its own. */
  controllerQueriesPerSecond?: number;
}
