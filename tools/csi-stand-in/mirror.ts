import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '../../lib/kubernetes/connection.ts';
import { listAll } from '../../lib/kubernetes/list.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { asServed } from '../../lib/kubernetes/served.ts';
import { watch } from '../../lib/kubernetes/watch.ts';

const retryMs = 200;

export type Change = 'changed' | 'gone';
type OnChange = (change: Change, resource: Resource, object: ClusterObject) => void;

/** The cluster's objects of some kinds, kept up to date by watches, like a sidecar's caches. */
export class Mirror {
  private readonly connection: Connection;
  private readonly onChange: OnChange;
  private readonly objects = new Map<string, Map<string, ClusterObject>>();
  private readonly goneAt = new Map<string, number>();

  constructor(connection: Connection, onChange: OnChange) {
    this.connection = connection;
    this.onChange = onChange;
  }

  get(resource: Resource, namespace: string | undefined, name: string): ClusterObject | undefined {
    return this.objects.get(resource.plural)?.get(key({ ...(namespace ? { namespace } : {}), name }));
  }

  all(resource: Resource, namespace?: string): ClusterObject[] {
    const found = [...(this.objects.get(resource.plural)?.values() ?? [])];
    return namespace === undefined ? found : found.filter(({ metadata }) => metadata.namespace === namespace);
  }

  /** Follows a kind until the signal aborts; the first list has been taken when `listed` is called. */
  async follow(resource: Resource, signal: AbortSignal, listed: () => void): Promise<void> {
    while (!signal.aborted) {
      try {
        const served = await asServed(this.connection, resource);
        if (!served) {
          // A kind that is defined later is followed from then on.
          listed();
          await pause(retryMs, undefined, { signal });
          continue;
        }
        let version = await this.list(served);
        listed();
        for (;;) version = await this.watchFrom(served, version, signal);
      } catch {
        // The server is unavailable, or has forgotten the version: the next list contains what has happened meanwhile.
        await pause(retryMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** The response to a write is known before the watch reports it. An older version than the known one is ignored. */
  take(resource: Resource, object: ClusterObject): void {
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp && finalizers.length === 0) {
      this.drop(resource, object);
      return;
    }
    const kind = this.ofKind(resource);
    const path = key(object.metadata);
    const known = Math.max(versionOf(kind.get(path)), this.goneAt.get(`${resource.plural}/${path}`) ?? 0);
    if (versionOf(object) <= known) return;
    kind.set(path, object);
    this.onChange('changed', resource, object);
  }

  drop(resource: Resource, object: ClusterObject): void {
    const path = key(object.metadata);
    const known = this.ofKind(resource).get(path);
    if (versionOf(known) > versionOf(object)) return;
    this.goneAt.set(`${resource.plural}/${path}`, versionOf(object));
    if (!this.ofKind(resource).delete(path)) return;
    this.onChange('gone', resource, object);
  }

  private async list(resource: Resource): Promise<string> {
    const found = new Set<string>();
    const version = await listAll(this.connection, resource, (object) => {
      found.add(key(object.metadata));
      this.take(resource, object);
    });
    for (const [path, object] of this.ofKind(resource)) {
      if (!found.has(path)) this.drop(resource, object);
    }
    return version;
  }

  private async watchFrom(resource: Resource, from: string, signal: AbortSignal): Promise<string> {
    let version = from;
    for await (const events of watch(this.connection, resource, { from, signal })) {
      for (const { type, object } of events) {
        version = object.metadata.resourceVersion ?? version;
        if (type === 'DELETED') this.drop(resource, object);
        else if (type !== 'BOOKMARK') this.take(resource, object);
      }
    }
    return version;
  }

  private ofKind({ plural }: Resource): Map<string, ClusterObject> {
    const kind = this.objects.get(plural) ?? new Map<string, ClusterObject>();
    this.objects.set(plural, kind);
    return kind;
  }
}

function key({ namespace, name }: { namespace?: string; name: string }): string {
  return namespace ? `${namespace}/${name}` : name;
}

function versionOf(object: ClusterObject | undefined): number {
  return Number(object?.metadata.resourceVersion ?? 0);
}
