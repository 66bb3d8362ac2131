import type { Cluster } from '../../lib/kubernetes/cluster.ts';
import type { OpenCluster } from '../../lib/kubernetes/clusters.ts';
import { isClusterError } from '../../lib/kubernetes/errors.ts';
import { errorText } from '../../lib/runtime/error-text.ts';
import { WrongCluster } from '../connect/identity.ts';
import { UsageError } from '../parse/usage-error.ts';

/** Reported for each object of the cluster; the cause is reported once. */
class ClusterNotRead extends Error {
  constructor(name: string) {
    super(`cluster ${name} was not read`);
  }
}

export type Open = (given: { cluster: string; context: string | undefined }) => Promise<OpenCluster>;

/**
 * The clusters whose objects can be read: those for which the user gave a context. The kubeconfig's current context is never
 * taken for a cluster of the deployment: in a wrong cluster everything would seem to be gone.
 */
export class ReadableClusters {
  private readonly contexts: ReadonlyMap<string, string | undefined>;
  private readonly openCluster: Open;
  private readonly opened = new Map<string, Promise<OpenCluster>>();
  /** By cluster, why it is not read (any longer): each dead letter would wait for it in vain. */
  readonly problems = new Map<string, string>();

  constructor(contexts: ReadonlyMap<string, string | undefined>, open: Open) {
    this.contexts = contexts;
    this.openCluster = open;
  }

  /** Opens all of them. What is no cluster of the deployment ends the command; one that cannot be reached does not. */
  async confirm(): Promise<void> {
    await Promise.all(
      [...this.contexts.keys()].map((name) =>
        this.open(name).catch((error: unknown) => {
          if (error instanceof WrongCluster) throw error;
          this.note(name, error);
        }),
      ),
    );
  }

  async get(name: string): Promise<Cluster> {
    if (!this.contexts.has(name)) {
      throw this.note(name, `use --context ${name}=<context of your kubeconfig> to read it`);
    }
    try {
      const { cluster } = await this.open(name);
      return this.watched(cluster);
    } catch (error) {
      throw this.note(name, error);
    }
  }

  close(): void {
    for (const opening of this.opened.values()) opening.then(({ connection }) => connection.close()).catch(() => {});
  }

  private open(name: string): Promise<OpenCluster> {
    const known = this.opened.get(name);
    if (known) return known;
    const opening = this.openCluster({ cluster: name, context: this.contexts.get(name) });
    this.opened.set(name, opening);
    return opening;
  }

  private watched(cluster: Cluster): Cluster {
    const { name } = cluster;
    const ask = async <T>(question: () => Promise<T>): Promise<T> => {
      if (this.problems.has(name)) throw new ClusterNotRead(name);
      try {
        return await question();
      } catch (error) {
        throw isClusterError(error, 'unreachable', 'unauthorized') ? this.note(name, error) : error;
      }
    };
    return {
      name,
      get: (object) => ask(() => cluster.get(object)),
      list: (...given) => ask(() => cluster.list(...given)),
      create: (...given) => cluster.create(...given),
      patch: (...given) => cluster.patch(...given),
      delete: (...given) => cluster.delete(...given),
    };
  }

  private note(name: string, why: unknown): ClusterNotRead {
    const text = errorText(why);
    if (!this.problems.has(name)) this.problems.set(name, `cluster ${name} is not read: ${text}`);
    return new ClusterNotRead(name);
  }
}

/** `--context main=prod` for each cluster, or only `--cluster main`, with the current context. */
export function contextsFrom(cluster: string | undefined, given: readonly string[]): Map<string, string | undefined> {
  const contexts = new Map<string, string | undefined>(cluster === undefined ? [] : [[cluster, undefined]]);
  for (const text of given) {
    const [, name, context] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    const isNamed = name !== undefined && (cluster === undefined || name === cluster);
    if (!isNamed && cluster === undefined) {
      throw new UsageError(`--context must be <cluster>=<context>, such as main=prod, but is ${text}`);
    }
    if (isNamed) contexts.set(name, context);
    else contexts.set(cluster ?? '', text);
  }
  return contexts;
}
