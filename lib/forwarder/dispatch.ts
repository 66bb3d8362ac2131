import { randomUUID } from 'node:crypto';
import type { ClusterObject } from '../cluster/objects.ts';
import type { Log } from '../log.ts';
import { buildMessage } from '../queue/message.ts';
import type { Outbox } from '../queue/outbox.ts';
import type { Change, Route, Router } from '../reconcile/routing.ts';

export interface DispatchOptions {
  cluster: string;
  router: Router;
  outbox: Outbox;
  log: Log;
  now: () => Date;
}

const causeTypes = { listed: 'update', added: 'add', updated: 'update', deleted: 'delete' } as const;

/** From a change to the messages that it brings. */
export class Dispatch {
  private readonly options: DispatchOptions;
  /** What a list has found, until all is listed: the index must know of everything before the first message is sent. */
  private listed: Change[] = [];

  constructor(options: DispatchOptions) {
    this.options = options;
  }

  live(change: Change): void {
    this.send(change, this.take(change));
  }

  list(change: Change): void {
    // What concerns no key by now may do so when what waits for it is listed, but then that itself brings a message.
    if (this.take(change).length > 0) this.listed.push(change);
  }

  /** Everything is listed. These messages must not be taken for the ones that the same versions brought before. */
  sendListed(): void {
    const runId = randomUUID();
    for (const change of this.listed) this.send(change, this.options.router.routesOf(change), runId);
    this.listed = [];
  }

  /** Whom a change concerns. One object that cannot be understood must not keep all the others from being forwarded. */
  private take(change: Change): Route[] {
    const { router, cluster, log } = this.options;
    try {
      router.note(change);
      return router.routesOf(change);
    } catch (error) {
      const { namespace, name } = change.object.metadata;
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
