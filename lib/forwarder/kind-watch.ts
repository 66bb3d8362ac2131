import type { Selection } from '../json/selection.ts';
import type { ResourceVersion } from '../kubernetes/brands.ts';
import type { Api } from '../kubernetes/connection.ts';
import { ClusterError } from '../kubernetes/errors.ts';
import { currentVersion, listAll } from '../kubernetes/list.ts';
import type { ClusterObject } from '../kubernetes/objects.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { isStreamingRefused, type WatchEvent, watch } from '../kubernetes/watch.ts';
import { isAfter } from './progress.ts';

const watchedTypes = { ADDED: 'added', MODIFIED: 'updated', DELETED: 'deleted' } as const;

/** Receives the objects of a list, and those deleted before its end. */
export type Take = (object: ClusterObject, type: 'listed' | 'deleted') => void;

/** The callbacks for the events of a kind's watch. */
export interface KindEvents {
  change: (type: 'added' | 'updated' | 'deleted', object: ClusterObject) => void;
  /** Nothing has changed up to this version. */
  pass: (version: ResourceVersion) => void;
  /** Resolves when there is room for more; until then nothing is read. */
  room: () => Promise<void>;
}

export interface KindWatchOptions {
  api: Api;
  /** The kind in the version that the cluster serves. */
  served: Resource;
  selection: Selection;
  signal: AbortSignal;
}

/** One kind of a cluster: first all objects, then their changes. */
export class KindWatch {
  private readonly options: KindWatchOptions;
  private version: ResourceVersion | undefined;
  /** The watch that began with the list, and its events after that. */
  private begun: AsyncGenerator<WatchEvent[]> | undefined;
  private early: WatchEvent[] = [];

  constructor(options: KindWatchOptions) {
    this.options = options;
  }

  /**
   * Passes on all objects, and returns the version of the list. The server streams it if it can; otherwise it is read page
   * by page.
   */
  async list(take: Take): Promise<ResourceVersion> {
    const { api, served, selection, signal } = this.options;
    // A watch that begins with a list needs only the permission to watch. Without a list, a restored server goes unnoticed.
    await currentVersion(api, served, signal);
    try {
      this.version = await this.listByWatch(take);
    } catch (error) {
      if (!isStreamingRefused(error)) throw error;
      this.version = undefined;
    }
    this.version ??= await listAll(api, served, (object) => take(object, 'listed'), { selection, signal });
    return this.version;
  }

  /** Reports changes until the server ends this watch; the next call continues from there. */
  async follow({ change, pass, room }: KindEvents): Promise<void> {
    const { api, served, selection, signal } = this.options;
    const from = this.version ?? '';
    const { begun, early } = this;
    if (!begun) await this.refuseRestoredServer(from);
    [this.begun, this.early] = [undefined, []];
    this.deliver(early, change, pass);
    for await (const events of begun ?? watch(api, served, { from, signal, selection })) {
      this.deliver(events, change, pass);
      await room();
      if (signal.aborted) return;
    }
  }

  /**
   * A server that was restored from an older state would take this version for a future one, and report nothing until it is
   * reached.
   */
  private async refuseRestoredServer(from: ResourceVersion): Promise<void> {
    const { api, served, signal } = this.options;
    const current = await currentVersion(api, served, signal);
    if (!isAfter(from, current)) return;
    throw new ClusterError('expired', `the server is at version ${current} of ${served.plural}, but was at ${from}`);
  }

  private deliver(events: WatchEvent[], change: KindEvents['change'], pass: KindEvents['pass']): void {
    for (const { type, object } of events) {
      const version = object.metadata.resourceVersion ?? '';
      if (type === 'BOOKMARK' || type === 'LISTED') pass(version);
      else change(watchedTypes[type], object);
      this.version = version;
    }
  }

  /** Undefined if the server does not know such a watch, and began another one. */
  private async listByWatch(take: Take): Promise<ResourceVersion | undefined> {
    const { api, served, selection, signal } = this.options;
    const events = watch(api, served, { signal, selection });
    for (let next = await events.next(); !next.done; next = await events.next()) {
      // A server's cache may be older than requested: then the changes since come before the end.
      const end = next.value.findIndex(({ type }) => type === 'LISTED' || type === 'BOOKMARK');
      for (const { type, object } of end < 0 ? next.value : next.value.slice(0, end)) {
        take(object, type === 'DELETED' ? 'deleted' : 'listed');
      }
      const last = next.value[end];
      if (!last) continue;
      if (last.type === 'LISTED') {
        [this.begun, this.early] = [events, next.value.slice(end + 1)];
        return last.object.metadata.resourceVersion ?? '';
      }
      await events.return(undefined);
      return undefined;
    }
    throw new ClusterError('unreachable', `the list of ${served.plural} broke off`);
  }
}
