import type { AccessConfig } from '../runtime/config.ts';
import { defaultMegabytes, MemoryBudget } from '../runtime/memory/budget.ts';
import { quoted } from '../runtime/quoted.ts';
import { accessTo } from './access/access.ts';
import type { Access } from './access/api-access.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { RestCluster } from './rest-cluster.ts';

export interface OpenCluster {
  cluster: RestCluster;
  connection: Connection;
}

/** A cluster, and how to get access to it whenever it is connected. */
export interface ReachableCluster {
  name: string;
  access: AccessConfig | (() => Promise<Access>);
}

/** The timeouts of calls; by default the connection's. */
export type Timeouts = Pick<ConnectionOptions, 'answerTimeoutMs'>;

/** The configured clusters, each connected on first use and then kept while its credentials are valid. */
export class Clusters {
  private readonly configs: readonly ReachableCluster[];
  private readonly userAgent: string;
  private readonly memory: MemoryBudget;
  private readonly timeouts: Timeouts;
  private readonly open = new Map<string, Promise<OpenCluster>>();
  /** When the credentials end of those that are connected with such. */
  private readonly validUntil = new Map<string, Date>();

  /** The user agent shows the clusters which function calls. */
  constructor(
    configs: readonly ReachableCluster[],
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
    const until = this.validUntil.get(name);
    if (until && until <= new Date()) this.forget(name);
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
    this.validUntil.delete(name);
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
    const { access: given } = config;
    const access = await (typeof given === 'function' ? given() : accessTo(given));
    if (access.validUntil) this.validUntil.set(name, access.validUntil);
    const connection = new Connection(access, {
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
