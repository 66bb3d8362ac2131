import type { Cluster } from '../../lib/kubernetes/cluster.ts';
import { isClusterError } from '../../lib/kubernetes/errors.ts';
import { errorText } from '../../lib/runtime/error-text.ts';
import { openCluster } from '../cluster.ts';
import { UsageError } from '../usage-error.ts';

/** Said of each object of the cluster; why it is so is said once. */
class NotLookedInto extends Error {
  constructor(name: string) {
    super(`cluster ${name} was not read`);
  }
}

type Open = typeof openCluster;
type Opened = Awaited<ReturnType<Open>>;

/**
 * The clusters whose objects can be looked at: those that the caller has said how to reach. Which one a kubeconfig happens
 * to point to is never taken for one of the deployment: in a wrong one everything would seem to be gone.
 */
export class LookedInto {
  private readonly contexts: ReadonlyMap<string, string | undefined>;
  private readonly openCluster: Open;
  private readonly opened = new Map<string, Promise<Opened>>();
  /** By cluster why it is not asked (any further): it would be waited for in vain for each letter. */
  readonly problems = new Map<string, string>();

  constructor(contexts: ReadonlyMap<string, string | undefined>, open: Open = openCluster) {
    this.contexts = contexts;
    this.openCluster = open;
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

  private open(name: string): Promise<Opened> {
    const known = this.opened.get(name);
    if (known) return known;
    const opening = this.openCluster({ cluster: name, context: this.contexts.get(name) });
    this.opened.set(name, opening);
    return opening;
  }

  private watched(cluster: Cluster): Cluster {
    const { name } = cluster;
    const ask = async <T>(question: () => Promise<T>): Promise<T> => {
      if (this.problems.has(name)) throw new NotLookedInto(name);
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

  private note(name: string, why: unknown): NotLookedInto {
    const text = errorText(why);
    if (!this.problems.has(name)) this.problems.set(name, `cluster ${name} is not read: ${text}`);
    return new NotLookedInto(name);
  }
}

/** `--context main=prod` for each cluster, or `--cluster main` alone, whose context may be the present one. */
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
