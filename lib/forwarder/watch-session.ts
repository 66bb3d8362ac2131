import { selectionOf } from '../capabilities/all-capabilities.ts';
import type { ResourceVersion } from '../kubernetes/brands.ts';
import type { ClusterObject } from '../kubernetes/objects.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { asServed, canBeLeftOut, type Discovered } from '../kubernetes/served.ts';
import type { Change } from '../reconcile/routing.ts';
import { RepeatedFailure } from '../runtime/repeated-failure.ts';
import type { Dispatch } from './dispatch.ts';
import { followKind, type WatchedKind } from './follow-kind.ts';
import type { ForwarderOptions, ForwarderStats } from './forwarder-options.ts';
import { KindWatch, type Take } from './kind-watch.ts';
import { MissingKinds } from './missing-kinds.ts';
import { runSlowLane } from './slow-lane.ts';

const probeKindsEveryMs = 10_000;
/** Some work becomes due by time alone, such as deleting an object long after it finished: lists find it. */
const maxSessionMs = 15 * 60_000;

/** All objects, each kind at its version. */
export interface Listed {
  watched: WatchedKind[];
  versions: Map<Resource, ResourceVersion>;
}

/**
 * From a list of everything until another list is needed. Then it ends, and with it all indexes of the routing: so none ever
 * holds an object that no longer exists.
 */
export class WatchSession {
  private readonly options: Required<ForwarderOptions>;
  private readonly dispatch: Dispatch;
  private readonly stats: ForwarderStats;
  private readonly missingKinds: MissingKinds;
  private readonly over = new AbortController();
  private readonly signal: AbortSignal;
  private readonly failures: RepeatedFailure;

  constructor(
    options: Required<ForwarderOptions>,
    dispatch: Dispatch,
    stats: ForwarderStats,
    loggedMissing: Set<string>,
    signal: AbortSignal,
  ) {
    this.options = options;
    this.dispatch = dispatch;
    this.stats = stats;
    this.failures = new RepeatedFailure(options.log, options.clock);
    this.missingKinds = new MissingKinds(loggedMissing);
    this.signal = AbortSignal.any([signal, this.over.signal]);
  }

  /** Sends nothing yet. If it fails, a new session may succeed. */
  async list(): Promise<Listed> {
    const watched: WatchedKind[] = [];
    const versions = new Map<Resource, ResourceVersion>();
    const discovered: Discovered = new Map();
    for (const resource of this.options.resources) {
      const watch = await this.begin(resource, discovered, versions);
      if (watch) watched.push({ resource, watch });
      if (this.signal.aborted) break;
    }
    return { watched, versions };
  }

  /** Resolves when the signal aborts, or when everything must be listed again. */
  async follow({ watched, versions }: Listed): Promise<void> {
    const { cluster, outbox, clock, newRunId } = this.options;
    const { unfinished, fanOut } = this.dispatch;
    // Before any later change: no message may overtake another of its key.
    await this.dispatch.sendListed(versions, this.signal);
    if (this.signal.aborted) return;
    await Promise.all([
      ...watched.map((each) => this.followKind(each)),
      this.probeMissingKinds(),
      this.endAfterMaxTime(),
      runSlowLane({ cluster, outbox, clock, newRunId, unfinished, fanOut }, this.signal),
    ]);
  }

  end(): void {
    this.over.abort();
  }

  private async begin(
    resource: Resource,
    discovered: Discovered,
    versions: Map<Resource, ResourceVersion>,
  ): Promise<KindWatch | undefined> {
    const { api } = this.options;
    try {
      const served = await asServed(api, resource, discovered, this.signal);
      if (!served) {
        this.leaveOut(resource, 'the cluster does not serve it');
        return undefined;
      }
      const watch = new KindWatch({ api, served, signal: this.signal, selection: selectionOf(resource) });
      const take: Take = (object, type) => this.dispatch.list(this.found(type, resource, object));
      versions.set(resource, await watch.list(take));
      return watch;
    } catch (error) {
      if (!canBeLeftOut(resource, error)) throw error;
      this.leaveOut(resource, String(error));
      return undefined;
    }
  }

  private leaveOut(resource: Resource, reason: string): void {
    const { log, cluster } = this.options;
    this.missingKinds.add(resource, reason, log, cluster);
    this.dispatch.leaveOut(resource);
  }

  /** When a missing kind appears, everything is listed again: other objects may have waited for it. */
  private async probeMissingKinds(): Promise<void> {
    const { clock, api, log, cluster } = this.options;
    while (!this.signal.aborted && this.missingKinds.size > 0) {
      await clock.pause(probeKindsEveryMs, this.signal);
      // A server that does not answer now is asked again.
      const appeared = await this.missingKinds.findAppeared(api, this.signal).catch(() => undefined);
      if (!appeared) continue;
      log.info('kind appeared; listing everything again', { cluster, kind: appeared.kind });
      return this.end();
    }
  }

  private async followKind(watched: WatchedKind): Promise<void> {
    const { options, dispatch, stats, signal } = this;
    await followKind(watched, { options, dispatch, stats, signal, failures: this.failures });
    this.end();
  }

  private async endAfterMaxTime(): Promise<void> {
    await this.options.clock.pause(maxSessionMs, this.signal);
    this.end();
  }

  private found(type: Change['type'], resource: Resource, object: ClusterObject): Change {
    return { type, resource, object, seenAt: this.options.clock.now() };
  }
}
