import type { AgentOptions } from 'node:https';
import { type Cluster, KubeConfig, type RequestContext } from '@kubernetes/client-node';
import { patient } from '../processes/patience.ts';

type Dispatcher = ReturnType<RequestContext['getDispatcher']>;

/** By default it is ten seconds, which a busy machine may take for a handshake. */
const connectTimeoutMs = patient(120_000);

/** The kubeconfig of a local cluster: its API server may be slow, and its connections are kept for the next calls. */
export class PatientKubeConfig extends KubeConfig {
  private dispatcher: Dispatcher;

  static fromFile(path: string): PatientKubeConfig {
    const config = new PatientKubeConfig();
    config.loadFromFile(path);
    return config;
  }

  static fromString(text: string): PatientKubeConfig {
    const config = new PatientKubeConfig();
    config.loadFromString(text);
    return config;
  }

  /** The library makes a new dispatcher, and so a new connection, for each call. */
  override async applySecurityAuthentication(context: RequestContext): Promise<void> {
    await super.applySecurityAuthentication(context);
    this.dispatcher ??= context.getDispatcher();
    if (this.dispatcher) context.setDispatcher(this.dispatcher);
  }

  override createDispatcherOptions(
    cluster: Cluster | null,
    options: AgentOptions,
  ): ReturnType<KubeConfig['createDispatcherOptions']> {
    const made = super.createDispatcherOptions(cluster, options);
    return made.type === 'agent' ? { ...made, connect: { ...made.connect, timeout: connectTimeoutMs } } : made;
  }
}
