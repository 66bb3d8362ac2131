import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import type { Access } from '../lib/kubernetes/access/api-access.ts';
import type { OpenCluster } from '../lib/kubernetes/clusters.ts';
import { Connection } from '../lib/kubernetes/connection.ts';
import { RestCluster } from '../lib/kubernetes/rest-cluster.ts';
import { errorText } from '../lib/runtime/error-text.ts';

/** The options by which a command that looks into a cluster is told which one, and how to reach it. */
export const clusterOptions = { cluster: { type: 'string' }, context: { type: 'string' } } as const;

export const clusterUsage = `  --cluster <name>               cluster, as the deployment names it (default: the only one)
  --context <context>            kubeconfig context to read the cluster with (default: the current one)`;

/** What the library takes for a cluster where there is no kubeconfig. No cluster is ever guessed here. */
const whereNobodySaidSo = 'http://localhost:8080';

interface Given {
  /** What the deployment calls it: messages and the archive name it so. */
  cluster: string;
  context?: string | undefined;
}

/**
 * Opens a cluster as whoever called the command, as kubectl would: KUBECONFIG or ~/.kube/config, with whatever program gives
 * out their credentials. The functions' own credentials are not for people.
 */
export async function openCluster({ cluster, context }: Given): Promise<OpenCluster> {
  const connection = new Connection(await accessOf(context));
  return { cluster: new RestCluster(cluster, connection), connection };
}

async function accessOf(context: string | undefined): Promise<Access> {
  const config = kubeconfig();
  if (context !== undefined) {
    const known = config.getContexts().map(({ name }) => name);
    if (!known.includes(context)) {
      throw new Error(`the kubeconfig has no context ${context}; it has ${known.join(', ') || 'none'}`);
    }
    config.setCurrentContext(context);
  }
  const server = config.getCurrentCluster()?.server;
  if (!server || server === whereNobodySaidSo) {
    throw new Error('no cluster to read: set KUBECONFIG, or use --context with one of its contexts');
  }
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  return { server, ...partsOf(options) };
}

function kubeconfig(): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromDefault();
  } catch (error) {
    const problem = errorText(error);
    throw new Error(`the kubeconfig cannot be read: ${problem}. Set KUBECONFIG to one that can`, { cause: error });
  }
  return config;
}

function partsOf({ ca, cert, key, headers }: RequestOptions): Omit<Access, 'server'> {
  const text = (part: unknown) => (part === undefined ? undefined : String(part));
  const authorization = (headers as Record<string, string> | undefined)?.Authorization;
  const token = authorization?.replace(/^Bearer /, '');
  const parts = { certificateAuthority: text(ca), clientCertificate: text(cert), clientKey: text(key) };
  const given = Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
  return { ...given, ...(token ? { token: async () => token } : {}) };
}
