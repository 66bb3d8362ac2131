import { createRouter, selectionOf, watchedResources } from '../../lib/capabilities/index.ts';
import { type Selection, select } from '../../lib/json/selection.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { buildMessage } from '../../lib/queue/message.ts';
import type { OutgoingMessage } from '../../lib/queue/message-parts.ts';
import type { Change } from '../../lib/reconcile/routing.ts';
import type { FakeCluster } from './fake-cluster.ts';
import type { Random } from './random.ts';

const selections = new Map<Resource, Selection>(watchedResources.map((resource) => [resource, selectionOf(resource)]));
const types = { ADDED: 'added', MODIFIED: 'updated', DELETED: 'deleted' } as const;
const causes = { listed: 'update', added: 'add', updated: 'update', deleted: 'delete' } as const;

/** The forwarder's routes and index, fed from the fake cluster: each kind has its own watch, and each lags on its own. */
export class FakeForwarder {
  private readonly cluster: FakeCluster;
  private readonly send: (message: OutgoingMessage) => void;
  private readonly positions = new Map<Resource, number>();
  private router = createRouter();
  private runs = 0;

  constructor(cluster: FakeCluster, send: (message: OutgoingMessage) => void) {
    this.cluster = cluster;
    this.send = send;
    for (const resource of watchedResources) this.positions.set(resource, 0);
  }

  isIdle(): boolean {
    return watchedResources.every((resource) => this.nextOf(resource) === undefined);
  }

  /** One change of one of these kinds, if it has any left; others would only make these wait longer. */
  forwardOne(random: Random, kinds: readonly Resource[]): void {
    this.forwardNext(random.pick(kinds));
  }

  forwardAll(): void {
    for (const resource of watchedResources) while (this.forwardNext(resource)) {}
  }

  /** A new forwarder knows nothing of what came before: it lists everything and goes on from there. */
  restart(): void {
    this.router = createRouter();
    this.runs += 1;
    const changes: Change[] = watchedResources.flatMap((resource) =>
      this.cluster.all(resource).map((object): Change => this.seen('listed', resource, object)),
    );
    for (const change of changes) this.router.note(change);
    for (const resource of watchedResources) this.positions.set(resource, this.cluster.changes.length);
    for (const change of changes) this.route(change, `run-${this.runs}`);
  }

  private forwardNext(resource: Resource): boolean {
    const position = this.nextOf(resource);
    const change = position === undefined ? undefined : this.cluster.changes[position];
    if (position === undefined || !change) return false;
    this.positions.set(resource, position + 1);
    const routed = this.seen(types[change.type], resource, change.object);
    this.router.note(routed);
    this.route(routed);
    return true;
  }

  /** Routing sees no more of an object than the forwarder reads, and less where only the metadata is watched. */
  private seen(type: Change['type'], resource: Resource, object: ClusterObject): Change {
    const { apiVersion, kind, metadata } = object;
    const sent = resource.metadataOnly ? { apiVersion, kind, metadata } : object;
    const read = select(sent, selections.get(resource) ?? {}) as ClusterObject;
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

  private route(change: Change, runId?: string): void {
    const { uid = '', resourceVersion = '' } = change.object.metadata;
    const cause = { uid, resourceVersion, type: causes[change.type] };
    for (const { function: name, resource, key } of this.router.routesOf(change)) {
      const time = this.cluster.now();
      const parts = { cluster: this.cluster.name, function: name, resource, key, cause, time };
      this.send(buildMessage(runId ? { ...parts, runId } : parts));
    }
  }
}
