import type { Clock } from '../clock.ts';
import { isLegalName, type Resource } from '../cluster/resources.ts';
import type { Log } from '../log.ts';
import type { Cause, MessageParts } from '../queue/message.ts';
import type { Outbox } from '../queue/outbox.ts';
import type { Change, Route, Router } from '../reconcile/routing.ts';
import { isAfter, type Progress } from './progress.ts';
import type { ProgressOfKinds } from './progress-of-kinds.ts';
import { type LastTold, UnfinishedThings } from './unfinished.ts';

export interface DispatchOptions {
  cluster: string;
  router: Router;
  outbox: Outbox;
  log: Log;
  clock: Clock;
  newRunId: () => string;
  /** How far each kind has come, which goes on from one list to the next. */
  progress: ProgressOfKinds;
}

/** A change, and somebody whom it concerns. */
type News = readonly [Change, Route];

const causeTypes = { listed: 'update', added: 'add', updated: 'update', deleted: 'delete' } as const;

/** From a change to the messages that it brings, and how far they have been taken. */
export class Dispatch {
  readonly unfinished = new UnfinishedThings();
  private readonly options: DispatchOptions;
  /** What a list has found, until all is listed: the index must know of everything before the first message is sent. */
  private listed = new Map<Resource, Change[]>();

  constructor(options: DispatchOptions) {
    this.options = options;
  }

  list(change: Change): void {
    this.forget(change);
    // What concerns no key by now may do so when what waits for it is listed, but then that itself brings a message.
    if (this.take(change).length === 0) return;
    const ofKind = this.listed.get(change.resource) ?? [];
    this.listed.set(change.resource, ofKind);
    ofKind.push(change);
  }

  /**
   * Everything is listed, each kind at its version. What has changed since the checkpoint is sent now; what is merely
   * unfinished was sent before, and is told again in the slow lane.
   */
  sendListed(versions: ReadonlyMap<Resource, string>): void {
    const runId = this.options.newRunId();
    for (const [resource, version] of versions) {
      const progress = this.options.progress.listedAt(resource, version);
      const news = (this.listed.get(resource) ?? []).flatMap((change) => this.newsOf(change, progress.acknowledged));
      this.send(news, progress, version, runId);
    }
    this.listed = new Map();
  }

  live(change: Change): void {
    const routes = this.take(change);
    this.noteUnfinished(change, routes.length > 0 ? 'now' : 'as before');
    const news = routes.map((route): News => [change, route]);
    this.send(news, this.options.progress.of(change.resource), change.object.metadata.resourceVersion ?? '');
  }

  /** Nothing has changed up to this version. */
  pass(resource: Resource, version: string): void {
    this.options.progress.of(resource).reach(version, 0, this.options.clock.elapsedMs());
  }

  /** Of an object that has changed during the list, what was found first counts no more. */
  private forget({ type, resource, object: { metadata } }: Change): void {
    const ofKind = this.listed.get(resource);
    if (type !== 'deleted' || !ofKind) return;
    this.listed.set(
      resource,
      ofKind.filter(({ object }) => object.metadata.uid !== metadata.uid),
    );
  }

  private newsOf(change: Change, since: string | undefined): News[] {
    const isNews = since === undefined || isAfter(change.object.metadata.resourceVersion ?? '', since);
    const unfinished = this.noteUnfinished(change, isNews ? 'now' : 'unknown');
    const routes = change.type === 'deleted' ? this.routesOf(change) : unfinished;
    return isNews ? routes.map((route) => [change, route]) : [];
  }

  private noteUnfinished(change: Change, told: LastTold): Route[] {
    const { type } = change;
    const routes = type === 'deleted' ? [] : this.routesOf(type === 'listed' ? change : { ...change, type: 'listed' });
    this.unfinished.note(change, { cause: causeOf(change), routes }, this.options.clock.elapsedMs(), told);
    return routes;
  }

  /** Whom a change concerns. One object that cannot be understood must not keep all the others from being forwarded. */
  private take(change: Change): Route[] {
    try {
      this.options.router.note(change);
      return this.routesOf(change);
    } catch (error) {
      this.tellSkipped(change, String(error));
      return [];
    }
  }

  private routesOf(change: Change): Route[] {
    try {
      // What somebody wrote for a name may be none: nothing can be called so.
      return this.options.router.routesOf(change).filter(({ key }) => isLegalName(key.name) && isLegal(key.namespace));
    } catch (error) {
      this.tellSkipped(change, String(error));
      return [];
    }
  }

  private send(news: readonly News[], progress: Progress, version: string, runId?: string): void {
    const { cluster, outbox } = this.options;
    const tell = progress.reach(version, news.length, this.options.clock.elapsedMs());
    for (const [change, route] of news) {
      const parts: MessageParts = { cluster, ...route, cause: causeOf(change), time: change.seenAt };
      if (runId !== undefined) parts.runId = runId;
      outbox.add(parts, { of: progress, tell });
    }
  }

  private tellSkipped({ resource, object }: Change, error: string): void {
    const { namespace, name } = object.metadata;
    this.options.log.error('object skipped', {
      cluster: this.options.cluster,
      kind: resource.kind,
      namespace,
      name,
      error,
    });
  }
}

function isLegal(namespace: string | undefined): boolean {
  return namespace === undefined || isLegalName(namespace);
}

function causeOf({ object: { metadata }, type }: Change): Cause {
  return { uid: metadata.uid ?? '', resourceVersion: metadata.resourceVersion ?? '', type: causeTypes[type] };
}
