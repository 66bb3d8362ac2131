import { Connection } from '../../lib/kubernetes/connection.ts';
import { contextFor } from '../kubeconfig/find.ts';
import { ClusterApi } from './cluster-api.ts';
import type { ClusterOptions } from './options.ts';

/** A cluster as the caller of a command may use it: with the caller's own credentials. */
export interface OpenedCluster extends AsyncDisposable {
  api: ClusterApi;
  connection: Connection;
  /** The name of the context. */
  name: string;
  server: string;
  /** The same cluster, as another one who applies objects or as another user, or until the command is stopped. */
  as(options: { manager?: string; impersonate?: string; stopped?: AbortSignal }): ClusterApi;
  /** The namespace of the context, or `default`. */
  namespace: string;
}

const userAgent = 'longshore/cli';

export async function openCluster({ kubeconfig, context: wanted }: ClusterOptions): Promise<OpenedCluster> {
  const { name, context } = await contextFor({ kubeconfig, context: wanted });
  const access = await context.access();
  const connection = new Connection(access, { userAgent });
  const others: Connection[] = [];
  const closed = new AbortController();
  return {
    api: new ClusterApi(connection, { stopped: closed.signal }),
    connection,
    name,
    server: context.server,
    as: ({ manager, impersonate, stopped = closed.signal }) => {
      if (impersonate === undefined) return new ClusterApi(connection, { manager, stopped });
      const other = new Connection(access, { userAgent, impersonate });
      others.push(other);
      return new ClusterApi(other, { manager, stopped });
    },
    namespace: context.namespace ?? 'default',
    [Symbol.asyncDispose]: async () => {
      // A command that is interrupted does not wait for what it has asked.
      closed.abort();
      for (const each of [connection, ...others]) each.close();
    },
  };
}
