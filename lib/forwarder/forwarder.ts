import { randomUUID } from 'node:crypto';
import type { Connection } from '../cluster/connection.ts';
import { isClusterError } from '../cluster/errors.ts';
import type { ClusterObject } from '../cluster/objects.ts';
import type { Resource } from '../cluster/resources.ts';
import { asServed } from '../cluster/served.ts';
import { listAll, type WatchEvent, watch } from '../cluster/watch.ts';
import type { Log } from '../log.ts';
import { buildMessage } from '../queue/message.ts';
import type { Outbox } from '../queue/outbox.ts';
import type { Change, Route } from '../reconcile/routing.ts';
import { createRouter, watchedResources } from '../routes.ts';

export interface ForwarderOptions {
  cluster: string;
  connection: Connection;
  outbox: Outbox;
  log: Log;
  now: () => Date;
  pause: (milliseconds: number) => Promise<void>;
}

const pauseAfterFailureMs = 1_000;
/** How long the last messages may take to be sent. */
const lastSendMs = 3_000;

const changeTypes = { ADDED: 'added', MODIFIED: 'updated', DELETED: 'deleted' } as const;
const causeTypes = { listed: 'update', added: 'add', updated: 'update', deleted: 'delete' } as const;

/**
 * Puts a message on a queue for every change that concerns a key. It starts with a list of everything, which takes up
 * whatever is unfinished; so a forwarder that was away, or was stopped at any moment, has missed nothing.
 */
export class Forwarder {
  private readonly options: ForwarderOptions;
  private readonly router = createRouter();

  constructor(options: ForwarderOptions) {
    this.options = options;
  }

  /**
   * Runs until the signal aborts it. What has been found by then is still sent; if a queue does not take it in time this
   * throws, and nothing is lost, since the next run lists everything.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { outbox, log, cluster, pause } = this.options;
    const versions = await this.listEverything();
    log.info('listed', { cluster, messages: outbox.size });
    await Promise.all(
      [...versions].map(([resource, { served, version }]) => this.follow(resource, served, version, signal)),
    );
    const isSent = await Promise.race([outbox.drained().then(() => true), pause(lastSendMs).then(() => false)]);
    if (isSent) return;
    outbox.stop();
    throw new Error(`${outbox.size} messages about ${cluster} could not be sent: the queue refuses them`);
  }

  /** The index must know of everything before the first message is sent, so nothing is routed before all is listed. */
  private async listEverything(): Promise<Map<Resource, { served: Resource; version: string }>> {
    const versions = new Map<Resource, { served: Resource; version: string }>();
    const unfinished: Change[] = [];
    for (const resource of watchedResources) {
      const served = await asServed(this.options.connection, resource);
      // A kind that this cluster may lack: it is looked for again in the next run.
      if (served) versions.set(resource, { served, version: await this.list(resource, served, unfinished) });
    }
    this.routeListed(unfinished);
    return versions;
  }

  private async list(resource: Resource, served: Resource, unfinished: Change[]): Promise<string> {
    return listAll(this.options.connection, served, (object) => {
      const change: Change = { type: 'listed', resource, object, seenAt: this.options.now() };
      // What concerns no key by now may do so when the requests are listed, but then the request itself brings a message.
      if (this.take(change).length > 0) unfinished.push(change);
    });
  }

  private routeListed(changes: Change[]): void {
    const runId = randomUUID();
    for (const change of changes) this.send(change, this.router.routesOf(change), runId);
  }

  /** Watches one kind, again and again from where the last watch ended, and lists it anew when that is too long ago. */
  private async follow(resource: Resource, served: Resource, from: string, signal: AbortSignal): Promise<void> {
    const { connection, log, pause, cluster } = this.options;
    let version = from;
    while (!signal.aborted) {
      try {
        for await (const event of watch(connection, served, version, signal)) {
          version = event.object.metadata.resourceVersion ?? version;
          this.forward(resource, event);
        }
      } catch (error) {
        if (signal.aborted) return;
        log.error('watch failed', { cluster, kind: resource.kind, error: String(error) });
        if (isClusterError(error, 'expired')) version = (await this.relist(resource, served)) ?? version;
        await pause(pauseAfterFailureMs);
      }
    }
  }

  private async relist(resource: Resource, served: Resource): Promise<string | undefined> {
    const unfinished: Change[] = [];
    try {
      const version = await this.list(resource, served, unfinished);
      this.routeListed(unfinished);
      return version;
    } catch (error) {
      this.options.log.error('list failed', { kind: resource.kind, error: String(error) });
      return undefined;
    }
  }

  private forward(resource: Resource, event: WatchEvent): void {
    if (event.type === 'BOOKMARK') return;
    const change: Change = {
      type: changeTypes[event.type],
      resource,
      object: event.object,
      seenAt: this.options.now(),
    };
    this.send(change, this.take(change));
  }

  /** Whom a change concerns. One object that cannot be understood must not keep all the others from being forwarded. */
  private take(change: Change): Route[] {
    try {
      this.router.note(change);
      return this.router.routesOf(change);
    } catch (error) {
      const { namespace, name } = change.object.metadata;
      const { cluster, log } = this.options;
      log.error('object skipped', { cluster, kind: change.resource.kind, namespace, name, error: String(error) });
      return [];
    }
  }

  private send(change: Change, routes: Route[], runId?: string): void {
    const { cluster, now, outbox } = this.options;
    for (const { function: name, resource, key } of routes) {
      const cause = causeOf(change.object, causeTypes[change.type]);
      const message = { cluster, function: name, resource, key, cause, time: now(), ...(runId ? { runId } : {}) };
      outbox.add(buildMessage(message));
    }
  }
}

function causeOf({ metadata }: ClusterObject, type: 'add' | 'update' | 'delete') {
  return { uid: metadata.uid ?? '', resourceVersion: metadata.resourceVersion ?? '', type };
}
