import type { ResourceVersion } from '../kubernetes/brands.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { Waiting } from '../queue/latest-lane.ts';
import type { Cause, MessageParts } from '../queue/message-parts.ts';
import type { Outbox } from '../queue/outbox.ts';
import { causeOf } from '../reconcile/cause.ts';
import { Listing } from '../reconcile/listed-changes.ts';
import { type Change, type Counts, isUnfinishedWork, type Route, type Router } from '../reconcile/routing.ts';
import { logSkipped, TolerantRouter } from '../reconcile/tolerant-router.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { FanOut } from './fan-out.ts';
import { ownerOf } from './owner-namespace.ts';
import { isAfter } from './progress.ts';
import type { ProgressOfKinds } from './progress-of-kinds.ts';
import { type LastSent, type Unfinished, UnfinishedObjects } from './unfinished-objects.ts';

export interface DispatchOptions {
  cluster: string;
  router: Router;
  outbox: Outbox;
  log: Log;
  clock: Clock;
  newRunId: () => string;
  /** The maximum number of messages that one change may cause at once. */
  maxFanOut?: number | undefined;
  /** The progress of each kind, which continues from one list to the next. */
  progress: ProgressOfKinds;
}

type MessageFields = Pick<MessageParts, 'cause' | 'owner' | 'time' | 'runId'>;

/** Listed objects are sent gradually for this long; a queue that has not caught up by then is slow, or rejects messages. */
const gradualSendMs = 10_000;

/** Turns changes into messages, and tracks which of these have been accepted. */
export class Dispatch {
  readonly unfinished = new UnfinishedObjects();
  readonly fanOut: FanOut;
  private readonly options: DispatchOptions;
  private readonly router: TolerantRouter;
  private listing: Listing;

  constructor(options: DispatchOptions) {
    this.options = options;
    this.fanOut = new FanOut(options.maxFanOut);
    this.router = new TolerantRouter(options.router, logSkipped(options.log, options.cluster));
    this.listing = new Listing(this.router);
  }

  get counts(): Counts | undefined {
    return this.options.router.counts;
  }

  list(change: Change): void {
    this.listing.add(change);
  }

  /** The cluster lacks a kind, or does not show it. */
  leaveOut(resource: Resource): void {
    this.router.leaveOut(resource);
  }

  /**
   * Called when everything is listed, each kind at its version. Objects that changed since the checkpoint are sent now;
   * merely unfinished ones were sent before, and are left to the slow lane. For a while they are added as fast as the queues
   * accept them; then, or when the signal aborts, the rest is added at once: nothing must wait for one queue, and the
   * backlog must be visible.
   */
  async sendListed(versions: ReadonlyMap<Resource, ResourceVersion>, signal: AbortSignal): Promise<void> {
    const runId = this.options.newRunId();
    const ending = new AbortController();
    const immediately = AbortSignal.any([signal, ending.signal]);
    void this.options.clock.pause(gradualSendMs, immediately).then(() => ending.abort());
    for (const [resource, version] of versions) await this.sendKind(resource, version, runId, immediately);
    ending.abort();
    this.listing = new Listing(this.router);
  }

  live(change: Change): void {
    const concerned = this.router.take(change);
    const { cause, owner } = this.noteUnfinished(change, concerned.length > 0 ? 'now' : 'as before');
    this.reconsider(change, cause);
    const routes = this.fanOut.limit(change, concerned, owner);
    const progress = this.options.progress.of(change.resource);
    const version = change.object.metadata.resourceVersion ?? '';
    const notify = progress.reach(version, routes.length, this.options.clock.elapsedMs());
    this.send(routes, { cause, owner, time: change.seenAt }, { of: progress, notify });
  }

  /** Nothing has changed up to this version. */
  pass(resource: Resource, version: ResourceVersion): void {
    this.options.progress.of(resource).reach(version, 0, this.options.clock.elapsedMs());
  }

  private async sendKind(
    resource: Resource,
    version: ResourceVersion,
    runId: string,
    immediately: AbortSignal,
  ): Promise<void> {
    const { outbox, clock } = this.options;
    const progress = this.options.progress.listedAt(resource, version);
    const since = progress.acknowledged;
    const { expect, notify, end } = progress.begin(version, clock.elapsedMs());
    const waiting: Waiting = { of: progress, notify };
    for (const change of this.listing.of(resource)) {
      const { cause, owner, routes: concerned } = this.unfinishedSince(change, since);
      const routes = this.fanOut.limit(change, concerned, owner);
      expect(routes.length);
      this.send(routes, { cause, owner, time: change.seenAt, runId }, waiting);
      if (!immediately.aborted && outbox.isBehind) await outbox.caughtUp(immediately);
    }
    end();
  }

  /** The listed objects that changed after a version. */
  private unfinishedSince(change: Change, since: string | undefined): Unfinished {
    const isNews = since === undefined || isAfter(change.object.metadata.resourceVersion ?? '', since);
    const { listed, ...unfinished } = this.noteUnfinished(change, isNews ? 'now' : 'unknown');
    if (!isNews) {
      this.unfinished.noteCheck({ ...unfinished, routes: listed.filter(({ only }) => only === 'check') });
      return { ...unfinished, routes: [] };
    }
    return { ...unfinished, routes: change.type === 'deleted' ? this.router.routesOf(change) : listed };
  }

  /** What a list would find of other objects now. */
  private reconsider(change: Change, cause: Cause): void {
    for (const { resource, key, owner, routes: all } of this.router.reconsider(change)) {
      const unfinished = { cause, owner, routes: all.filter(isUnfinishedWork) };
      this.unfinished.renew({ resource, ...key }, unfinished, this.options.clock.elapsedMs());
    }
  }

  private noteUnfinished(change: Change, fields: LastSent): Unfinished & { listed: Route[] } {
    const { type } = change;
    const cause = causeOf(change);
    const listed =
      type === 'deleted' ? [] : this.router.routesOf(type === 'listed' ? change : { ...change, type: 'listed' });
    const unfinished = { cause, owner: ownerOf(change.object), routes: listed.filter(isUnfinishedWork) };
    this.unfinished.note(change, unfinished, this.options.clock.elapsedMs(), fields);
    return { ...unfinished, listed };
  }

  private send(routes: readonly Route[], fields: MessageFields, waiting: Waiting): void {
    const { cluster, outbox } = this.options;
    for (const route of routes) {
      const { function: name, resource, key } = route;
      const isCrowded = this.fanOut.isLeftOut(route);
      outbox.add({ cluster, function: name, resource, key, ...fields, isCrowded }, waiting);
    }
  }
}
