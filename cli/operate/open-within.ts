import type { Access } from '../../lib/kubernetes/access/api-access.ts';
import type { Api, Call } from '../../lib/kubernetes/api.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { isClusterError } from '../../lib/kubernetes/errors.ts';
import { ClusterApi } from '../connect/cluster-api.ts';
import type { ClusterOptions } from '../connect/options.ts';
import { contextFor } from '../kubeconfig/find.ts';

/** The API server, or the program that gives out credentials for it, did not answer in time. */
export class NoAnswer extends Error {}

/** A cluster that is asked for a limited time. */
export interface LimitedCluster extends AsyncDisposable {
  api: ClusterApi;
  /** Its calls end with the time. */
  connection: Api;
  access: Access;
  /** The name of the context. */
  name: string;
  server: string;
  namespace: string;
}

/** What is still open some moments later, such as a program for credentials, is not waited for. */
const maxExitMs = 100;

/** Opens a cluster as the caller of a command. All that follows fails with `NoAnswer` once the time is over, or it is stopped. */
export async function openWithin(
  { kubeconfig, context: wanted }: ClusterOptions,
  milliseconds: number,
  stopped?: AbortSignal,
): Promise<LimitedCluster> {
  const { name, context } = await contextFor({ kubeconfig, context: wanted });
  const { server, namespace = 'default' } = context;
  const ended = new AbortController();
  const end = () => ended.abort();
  const timer = setTimeout(end, milliseconds);
  stopped?.addEventListener('abort', end, { once: true });
  const noAnswer = () => new NoAnswer(`${server} did not answer within ${(milliseconds / 1_000).toFixed(1)} s`);
  const over = new Promise<never>((_, reject) => {
    ended.signal.addEventListener('abort', () => reject(noAnswer()), { once: true });
  });
  // It may be that nothing waits when the time is over.
  over.catch(() => {});
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await Promise.race([work, over]);
    } catch (error) {
      throw ended.signal.aborted && isClusterError(error, 'unreachable') ? noAnswer() : error;
    }
  };
  try {
    const access = await inTime(context.access());
    const connection = new Connection(access, { userAgent: 'longshore/cli' });
    const limited: Api = {
      send: (call: Call) => inTime(connection.send(call, ended.signal)),
      sendForBytes: (call: Call) => inTime(connection.sendForBytes(call, ended.signal)),
      open: (call: Call, silenceMs) => inTime(connection.open(call, silenceMs, ended.signal)),
    };
    const close = async () => {
      clearTimeout(timer);
      stopped?.removeEventListener('abort', end);
      connection.close();
      if (ended.signal.aborted) leaveSoon();
    };
    const api = new ClusterApi(limited);
    return { api, connection: limited, access, name, server, namespace, [Symbol.asyncDispose]: close };
  } catch (error) {
    clearTimeout(timer);
    if (error instanceof NoAnswer) leaveSoon();
    throw error;
  }
}

function leaveSoon(): void {
  setTimeout(() => process.exit(), maxExitMs).unref();
}
