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
  /** The namespace of the context, or `default`. */
  namespace: string;
}

const userAgent = 'longshore/cli';

export async function openCluster({ kubeconfig, context: wanted }: ClusterOptions): Promise<OpenedCluster> {
  const { name, context } = await contextFor({ kubeconfig, context: wanted });
  const connection = new Connection(await context.access(), { userAgent });
  return {
    api: new ClusterApi(connection),
    connection,
    name,
    server: context.server,
    namespace: context.namespace ?? 'default',
    [Symbol.asyncDispose]: async () => connection.close(),
  };
}
