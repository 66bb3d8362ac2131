import type { Connection } from '../cluster/connection.ts';
import { isClusterError } from '../cluster/errors.ts';
import type { Resource } from '../cluster/resources.ts';
import { asServed, canBeLeftOut, type Discovered } from '../cluster/served.ts';
import { listAll, type WatchEvent, watch } from '../cluster/watch.ts';
import type { Log } from '../log.ts';
import type { Outbox } from '../queue/outbox.ts';
import type { Router } from '../reconcile/routing.ts';
import { createRouter, watchedResources } from '../routes.ts';
import { Dispatch } from './dispatch.ts';

export interface ForwarderOptions {
  cluster: string;
  connection: Connection;
  outbox: Outbox;
  log: Log;
  now: () => Date;
  pause: (milliseconds: number) => Promise<void>;
  /** The kinds that are watched, and whom their changes concern: what the capabilities say, if nothing else is given. */
  resources?: readonly Resource[];
  router?: Router;
}

/** A kind that is watched: as it is known to us, as the cluster serves it, and from which version on. */
interface Watched {
  resource: Resource;
  served: Resource;
  version: string;
}

const pauseAfterFailureMs = 1_000;
/** How long the last messages may take to be sent. */
const lastSendMs = 3_000;

const changeTypes = { ADDED: 'added', MODIFIED: 'updated', DELETED: 'deleted' } as const;

/**
 * Puts a message on a queue for every change that concerns a key. It starts with a list of everything, which takes up
 * whatever is unfinished; so a forwarder that was away, or was stopped at any moment, has missed nothing.
 */
export class Forwarder {
  private readonly options: ForwarderOptions;
  private readonly dispatch: Dispatch;

  constructor(options: ForwarderOptions) {
    this.options = options;
    this.dispatch = new Dispatch({ ...options, router: options.router ?? createRouter() });
  }

  /**
   * Runs until the signal aborts it. What has been found by then is still sent; if a queue does not take it in time this
   * throws, and nothing is lost, since the next run lists everything.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { outbox, log, cluster, pause } = this.options;
    const watched = await this.listEverything();
    log.info('listed', { cluster, messages: outbox.size });
    await Promise.all(watched.map((each) => this.follow(each, signal)));
    const isSent = await Promise.race([outbox.drained().then(() => true), pause(lastSendMs).then(() => false)]);
    if (isSent) return;
    outbox.stop();
    throw new Error(`${outbox.size} messages about ${cluster} could not be sent: the queue refuses them`);
  }

  private async listEverything(): Promise<Watched[]> {
    const watched: Watched[] = [];
    const discovered: Discovered = new Map();
    for (const resource of this.options.resources ?? watchedResources) {
      const found = await this.begin(resource, discovered);
      if (found) watched.push(found);
    }
    this.dispatch.sendListed();
    return watched;
  }

  private async begin(resource: Resource, discovered: Discovered): Promise<Watched | undefined> {
    try {
      const served = await asServed(this.options.connection, resource, discovered);
      if (served) return { resource, served, version: await this.list(resource, served) };
      this.tellLeftOut(resource, 'the cluster does not serve it');
    } catch (error) {
      if (!canBeLeftOut(resource, error)) throw error;
      this.tellLeftOut(resource, String(error));
    }
    return undefined;
  }

  /** It is looked for again in the next run. */
  private tellLeftOut(resource: Resource, reason: string): void {
    const { cluster, log } = this.options;
    const cost = 'what waits for its changes goes on only when the next run lists everything';
    log.info(`kind left out: ${cost}`, { cluster, kind: resource.kind, reason });
  }

  private list(resource: Resource, served: Resource): Promise<string> {
    const { connection, now } = this.options;
    return listAll(connection, served, (object) =>
      this.dispatch.list({ type: 'listed', resource, object, seenAt: now() }),
    );
  }

  /** Watches one kind, again and again from where the last watch ended, and lists it anew when that is too long ago. */
  private async follow({ resource, served, version: from }: Watched, signal: AbortSignal): Promise<void> {
    const { connection, log, pause, cluster } = this.options;
    let version: string | undefined = from;
    while (!signal.aborted) {
      try {
        version ??= await this.relist(resource, served);
        for await (const event of watch(connection, served, version, signal)) {
          version = event.object.metadata.resourceVersion ?? version;
          this.forward(resource, event);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (canBeLeftOut(resource, error)) return this.tellLeftOut(resource, String(error));
        const doing = version === undefined ? 'list' : 'watch';
        log.error(`${doing} failed`, { cluster, kind: resource.kind, error: String(error) });
        if (isClusterError(error, 'expired')) version = undefined;
        await pause(pauseAfterFailureMs);
      }
    }
  }

  private async relist(resource: Resource, served: Resource): Promise<string> {
    const version = await this.list(resource, served);
    this.dispatch.sendListed();
    return version;
  }

  private forward(resource: Resource, { type, object }: WatchEvent): void {
    if (type === 'BOOKMARK') return;
    this.dispatch.live({ type: changeTypes[type], resource, object, seenAt: this.options.now() });
  }
}
