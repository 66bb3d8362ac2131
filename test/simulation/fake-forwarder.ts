import { createRouter, selectionOf, watchedResources } from '../../lib/capabilities/all-capabilities.ts';
import { selector } from '../../lib/json/selection.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { displayName, resources } from '../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../lib/queue/message.ts';
import type { OutgoingMessage } from '../../lib/queue/message-parts.ts';
import { type Change, isUnfinishedWork, type Route, type Router } from '../../lib/reconcile/routing.ts';
import type { FakeCluster } from './fake-cluster.ts';
import type { Random } from './random.ts';

const readers = new Map(watchedResources.map((resource) => [resource, selector(selectionOf(resource))]));
const types = { ADDED: 'added', MODIFIED: 'updated', DELETED: 'deleted' } as const;
const causes = { listed: 'update', added: 'add', updated: 'update', deleted: 'delete' } as const;

interface Options {
  /** A cluster may show no Secrets, which are then neither listed nor watched. */
  isBlind?: boolean | undefined;
  /** Makes its router wrong. */
  mutate?: ((router: Router) => Router) | undefined;
}

/** The forwarder's routes and index, fed from the fake cluster: each kind has its own watch, and each lags on its own. */
export class FakeForwarder {
  private readonly cluster: FakeCluster;
  private readonly send: (message: OutgoingMessage) => void;
  private readonly positions = new Map<Resource, number>();
  /** What is sent again each minute: by object, what a list would find for it. */
  private readonly unfinished = new Map<string, Route[]>();
  private readonly watched: readonly Resource[];
  /** What is read of each version of an object, which never changes. */
  private readonly read = new WeakMap<ClusterObject, ClusterObject>();
  private readonly mutate: (router: Router) => Router;
  private router: Router;
  private runs = 0;

  constructor(
    cluster: FakeCluster,
    send: (message: OutgoingMessage) => void,
    { isBlind = false, mutate = (router) => router }: Options = {},
  ) {
    this.cluster = cluster;
    this.send = send;
    this.watched = watchedResources.filter((resource) => !isBlind || resource !== resources.secret);
    this.mutate = mutate;
    this.router = mutate(this.newRouter());
    for (const resource of this.watched) this.positions.set(resource, 0);
  }

  isIdle(): boolean {
    return this.watched.every((resource) => this.nextOf(resource) === undefined);
  }

  /** One change of one of these kinds, if it has any left; others would only make these wait longer. */
  forwardOne(random: Random, kinds: readonly Resource[]): void {
    const kind = random.pick(kinds);
    if (this.watched.includes(kind)) this.forwardNext(kind);
  }

  forwardAll(): void {
    for (const resource of this.watched) while (this.forwardNext(resource)) {}
  }

  /** A new forwarder knows nothing of what came before: it lists everything and goes on from there. */
  restart(): void {
    this.router = this.mutate(this.newRouter());
    this.runs += 1;
    this.unfinished.clear();
    const changes = this.listInto(this.router);
    const news = this.unseen();
    for (const resource of this.watched) this.positions.set(resource, this.cluster.changes.length);
    for (const change of changes) {
      this.noteUnfinished(change);
      this.route(change, { runId: `run-${this.runs}`, isNews: news.has(nameOfChange(change)) });
    }
  }

  /** What is wrong with what it would send each minute: neither may anything be missing that a list finds, nor be too much. */
  flawInUnfinished(): string | undefined {
    const router = this.newRouter();
    const listed = new Set<string>();
    for (const change of this.listInto(router)) {
      const name = nameOfChange(change);
      if (!router.routesOf(change).some(isUnfinishedWork)) continue;
      listed.add(name);
      if (!this.unfinished.has(name)) return `${name} is unfinished, and is not sent again`;
    }
    const over = [...this.unfinished.keys()].find((name) => !listed.has(name));
    const routes = this.unfinished.get(over ?? '')?.map(({ function: name, key }) => `${name} ${displayName(key)}`);
    return over && `${over} is sent again each minute (${routes}), and a list finds it finished`;
  }

  private newRouter(): Router {
    const router = createRouter();
    for (const resource of watchedResources) if (!this.watched.includes(resource)) router.leaveOut?.(resource);
    return router;
  }

  private listInto(router: Router): Change[] {
    const changes = this.watched.flatMap((resource) =>
      this.cluster.all(resource).map((object): Change => this.seen('listed', resource, object)),
    );
    for (const change of changes) router.note(change);
    return changes;
  }

  /** Objects that have changed since they were last forwarded. */
  private unseen(): Set<string> {
    const seen = (resource: Resource) => this.positions.get(resource) ?? this.cluster.changes.length;
    const news = this.cluster.changes.filter(({ resource }, position) => position >= seen(resource));
    return new Set(news.map(nameOfChange));
  }

  private noteUnfinished(change: Change): void {
    const listed = change.type === 'deleted' ? [] : this.router.routesOf({ ...change, type: 'listed' });
    this.remember(nameOfChange(change), listed);
  }

  private remember(name: string, routes: readonly Route[]): void {
    const unfinished = routes.filter(isUnfinishedWork);
    if (unfinished.length > 0) this.unfinished.set(name, unfinished);
    else this.unfinished.delete(name);
  }

  private forwardNext(resource: Resource): boolean {
    const position = this.nextOf(resource);
    const change = position === undefined ? undefined : this.cluster.changes[position];
    if (position === undefined || !change) return false;
    this.positions.set(resource, position + 1);
    const routed = this.seen(types[change.type], resource, change.object);
    this.router.note(routed);
    this.noteUnfinished(routed);
    for (const { resource: kind, key, routes } of this.router.reconsider?.(routed) ?? []) {
      this.remember(`${kind.kind} ${displayName(key)}`, routes);
    }
    this.route(routed, {});
    return true;
  }

  /** Routing sees no more of an object than the forwarder reads, and less where only the metadata is watched. */
  private seen(type: Change['type'], resource: Resource, object: ClusterObject): Change {
    const read = this.read.get(object) ?? readOf(resource, object);
    this.read.set(object, read);
    return { type, resource, object: read, seenAt: this.cluster.now() };
  }

  private nextOf(resource: Resource): number | undefined {
    const { changes } = this.cluster;
    for (let position = this.positions.get(resource) ?? 0; position < changes.length; position += 1) {
      if (changes[position]?.resource === resource) return position;
    }
    this.positions.set(resource, changes.length);
    return undefined;
  }

  private route(change: Change, { runId, isNews = true }: { runId?: string; isNews?: boolean }): void {
    const { uid = '', resourceVersion = '' } = change.object.metadata;
    const cause = { uid, resourceVersion, type: causes[change.type] };
    for (const { function: name, resource, key, only } of this.router.routesOf(change)) {
      if (only === 'news' && !isNews) continue;
      const time = this.cluster.now();
      const parts = { cluster: this.cluster.name, function: name, resource, key, cause, time };
      this.send(buildMessage(runId ? { ...parts, runId } : parts));
    }
  }
}

function readOf(resource: Resource, object: ClusterObject): ClusterObject {
  const { apiVersion, kind, metadata } = object;
  const sent = resource.metadataOnly ? { apiVersion, kind, metadata } : object;
  return readers.get(resource)?.(sent) as ClusterObject;
}

function nameOfChange({ resource, object }: Pick<Change, 'resource' | 'object'>): string {
  return `${resource.kind} ${displayName(object.metadata)}`;
}
