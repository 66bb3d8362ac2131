import { readFile } from 'node:fs/promises';
import { accessFromKubeconfig } from '../lib/cluster/access/kubeconfig.ts';
import { Connection } from '../lib/cluster/connection.ts';
import type { Claim } from '../lib/cluster/objects.ts';
import { displayName, resources } from '../lib/cluster/resources.ts';
import { listAll, watch } from '../lib/cluster/watch.ts';

/** Notes when each claim becomes bound, as a watcher of the cluster sees it. */
export class BoundWatch {
  private readonly boundAt = new Map<string, number>();
  private readonly waiting = new Map<string, (at: number) => void>();
  private readonly abort = new AbortController();
  private readonly connection: Connection;

  private constructor(connection: Connection) {
    this.connection = connection;
  }

  static async start(kubeconfigPath: string): Promise<BoundWatch> {
    const connection = new Connection(accessFromKubeconfig(await readFile(kubeconfigPath, 'utf8')));
    const started = new BoundWatch(connection);
    const version = await listAll(connection, resources.claim, () => {});
    void started.follow(version).catch(() => {});
    return started;
  }

  /** The time at which a claim became bound, now or later. */
  until(place: { namespace?: string; name: string }): Promise<number> {
    const name = displayName(place);
    const at = this.boundAt.get(name);
    return at === undefined ? new Promise((resolve) => this.waiting.set(name, resolve)) : Promise.resolve(at);
  }

  stop(): void {
    this.abort.abort();
    this.connection.close();
  }

  private async follow(version: string): Promise<void> {
    for await (const { object } of watch(this.connection, resources.claim, version, this.abort.signal)) {
      const claim = object as Claim;
      if (claim.status?.phase !== 'Bound') continue;
      const name = displayName(claim.metadata);
      if (this.boundAt.has(name)) continue;
      this.boundAt.set(name, performance.now());
      this.waiting.get(name)?.(performance.now());
    }
  }
}
