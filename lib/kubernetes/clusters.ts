import type { ClusterConfig } from '../runtime/config.ts';
import { defaultMegabytes, MemoryBudget } from '../runtime/memory/budget.ts';
import { quoted } from '../runtime/quoted.ts';
import { accessTo } from './access/access.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { RestCluster } from './rest-cluster.ts';

export interface OpenCluster {
  cluster: RestCluster;
  connection: Connection;
}

/** The timeouts of calls; by default the connection's. */
export type Timeouts = Pick<ConnectionOptions, 'answerTimeoutMs'>;

/** The configured clusters, each connected on first use and then kept for the life of the process. */
export class Clusters {
  private readonly configs: ClusterConfig[];
  private readonly userAgent: string;
  private readonly memory: MemoryBudget;
  private readonly timeouts: Timeouts;
  private readonly open = new Map<string, Promise<OpenCluster>>();

  /** The user agent shows the clusters which function calls. */
  constructor(
    configs: ClusterConfig[],
    functionName?: string,
    memory: MemoryBudget = new MemoryBudget(defaultMegabytes),
    timeouts: Timeouts = {},
  ) {
    this.configs = configs;
    this.memory = memory;
    this.timeouts = timeouts;
    this.userAgent = functionName === undefined ? 'longshore' : `longshore/${functionName}`;
  }

  get(name: string): Promise<OpenCluster> {
    const known = this.open.get(name);
    if (known) return known;
    const opening = this.connect(name);
    this.open.set(name, opening);
    // A failure is not cached: the next message tries again.
    opening.catch(() => this.open.get(name) === opening && this.open.delete(name));
    return opening;
  }

  /**
   * Credentials that are no longer accepted are fetched again on the next use. Other messages of the batch may still
   * have calls in progress; but a server that refuses us each time must not keep a connection open for each.
   */
  forget(name: string): void {
    const known = this.open.get(name);
    this.open.delete(name);
    known?.then(({ connection }) => connection.retire()).catch(() => {});
  }

  /** Closes all of them. */
  close(): void {
    for (const opening of this.open.values()) opening.then(({ connection }) => connection.close()).catch(() => {});
    this.open.clear();
  }

  private async connect(name: string): Promise<OpenCluster> {
    const config = this.configs.find((candidate) => candidate.name === name);
    if (!config) {
      const known = this.configs.map((candidate) => JSON.stringify(candidate.name)).join(', ');
      throw new UnknownCluster(`cluster ${quoted(name)} is not configured: LONGSHORE_CLUSTERS has ${known}`);
    }
    const connection = new Connection(await accessTo(config.access), {
      userAgent: this.userAgent,
      share: this.memory.clusterShare(),
      ...this.timeouts,
    });
    return { cluster: new RestCluster(name, connection), connection };
  }
}

export class UnknownCluster extends Error {
  override name = 'UnknownCluster';
}
