import { readFile } from 'node:fs/promises';
import { accessFromKubeconfig } from '../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../lib/kubernetes/connection.ts';
import { listAll } from '../lib/kubernetes/list.ts';
import type { ClusterObject } from '../lib/kubernetes/objects.ts';
import type { Resource } from '../lib/kubernetes/resource.ts';
import { displayName } from '../lib/kubernetes/resources.ts';
import { watch } from '../lib/kubernetes/watch.ts';

type Place = Pick<ClusterObject['metadata'], 'namespace' | 'name'>;
type Moment = 'bound' | 'gone';

/** Records when each object of a kind becomes bound and when it is gone, as seen by a watch. */
export class LifeWatch {
  private readonly moments = new Map<string, number>();
  private readonly waiting = new Map<string, (at: number) => void>();
  private readonly abort = new AbortController();
  private readonly connection: Connection;
  private readonly resource: Resource;

  private constructor(connection: Connection, resource: Resource) {
    this.connection = connection;
    this.resource = resource;
  }

  static async start(kubeconfigPath: string, resource: Resource): Promise<LifeWatch> {
    const connection = new Connection(accessFromKubeconfig(await readFile(kubeconfigPath, 'utf8')));
    const started = new LifeWatch(connection, resource);
    const version = await listAll(connection, resource, () => {});
    void started.follow(version).catch(() => {});
    return started;
  }

  /** The time at which an object became bound, or was gone, now or later. */
  until(place: Place, moment: Moment = 'bound'): Promise<number> {
    const key = keyOf(place, moment);
    const at = this.moments.get(key);
    return at === undefined ? new Promise((resolve) => this.waiting.set(key, resolve)) : Promise.resolve(at);
  }

  stop(): void {
    this.abort.abort();
    this.connection.close();
  }

  private async follow(version: string): Promise<void> {
    for await (const events of watch(this.connection, this.resource, { from: version, signal: this.abort.signal })) {
      for (const { type, object } of events) {
        const { metadata, status } = object as ClusterObject & { status?: { phase?: string } };
        if (status?.phase === 'Bound') this.note(keyOf(metadata, 'bound'));
        if (type === 'DELETED') this.note(keyOf(metadata, 'gone'));
      }
    }
  }

  private note(key: string): void {
    if (this.moments.has(key)) return;
    const now = performance.now();
    this.moments.set(key, now);
    this.waiting.get(key)?.(now);
  }
}

function keyOf(place: Place, moment: Moment): string {
  return `${moment} ${displayName(place)}`;
}
