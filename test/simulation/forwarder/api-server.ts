import type { Answer, Call } from '../../../lib/kubernetes/connection.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { collectionPath } from '../../../lib/kubernetes/resources.ts';
import { failure } from '../../lib/forwarder/lease-server.ts';
import type { Random } from '../random.ts';
import type { ChunkStream } from './chunk-stream.ts';
import { extra, kinds } from './kinds.ts';
import { isLeasePath, LeaseObject } from './lease-object.ts';
import { ServerWatch } from './server-watch.ts';
import type { Fates } from './troubles.ts';
import type { World } from './world.ts';

/** How a server takes being asked to begin a watch with a list. */
export type Streaming = 'known' | 'refused' | 'ignored';

const smallPage = 4;
const largePage = 500;
const discoveryPath = `/apis/${extra.apiVersion}`;
/** What a server says of a path that it has never heard of. */
const unknownPath: Answer = { status: 404, body: '404 page not found\n' };
const expired = failure(410, 'Expired', 'The provided continue parameter is too old');
const tooLarge = failure(504, 'Timeout', 'Too large resource version: 1, current: 0');
const refused = failure(
  422,
  'Invalid',
  'ListOptions is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
);

/** An API server: lists page by page, watches, a kind that comes and goes, and one Lease. */
export class ApiServer {
  servesExtras = true;
  readonly lease: LeaseObject;
  private readonly world: World;
  private readonly fates: Fates;
  private readonly random: Random;
  private readonly streaming: Streaming;
  private downUntilMs = 0;
  private readonly watches = new Map<ChunkStream, ServerWatch>();
  private readonly byPath = new Map(kinds.map((resource) => [collectionPath(resource), resource]));
  /** What is left of lists that were begun, by what continues them. */
  private readonly rests = new Map<string, { version: number; restoredSeq: number; items: string[] }>();

  constructor(world: World, fates: Fates, random: Random, streaming: Streaming) {
    this.world = world;
    this.fates = fates;
    this.random = random;
    this.streaming = streaming;
    this.lease = new LeaseObject(world.state);
    world.state.onWritten.push(({ resource }) => {
      for (const watch of this.watches.values()) if (watch.resource === resource) watch.soon();
    });
  }

  handle(call: Call): Answer {
    const [path = '', query = ''] = call.path.split('?');
    if (isLeasePath(path)) return this.lease.handle(call);
    if (path === discoveryPath && this.servesExtras) {
      return { status: 200, body: JSON.stringify({ resources: [{ name: extra.plural }] }) };
    }
    const resource = this.servedAt(path);
    if (!resource) return unknownPath;
    return this.list(resource, new URLSearchParams(query));
  }

  /** Answers why there will be no watch; what there is of it is pushed to the stream. */
  openWatch(call: Call, stream: ChunkStream): Answer | undefined {
    const [path = '', text = ''] = call.path.split('?');
    const query = new URLSearchParams(text);
    const resource = this.servedAt(path);
    if (!resource) return unknownPath;
    const from = query.get('resourceVersion');
    const { state } = this.world;
    if (from === null && this.streaming === 'refused') return refused;
    if (this.fates.happens('too large versions', 0.15)) return tooLarge;
    const isExpired = from !== null && Number(from) < state.compacted;
    if (isExpired && this.random.chance(0.5)) return expired;
    const position = from === null ? state.version : Number(from);
    const watch = new ServerWatch(this.world, this.fates, this.random, stream, resource, position);
    if (isExpired) {
      watch.expire();
      return undefined;
    }
    this.watches.set(stream, watch);
    if (from === null) watch.begin(state.of(resource), this.streaming === 'known');
    else watch.soon();
    return undefined;
  }

  closed(stream: ChunkStream): void {
    this.watches.delete(stream);
  }

  get isUp(): boolean {
    return this.world.time.nowMs >= this.downUntilMs;
  }

  goDownFor(milliseconds: number): void {
    this.downUntilMs = Math.max(this.downUntilMs, this.world.time.nowMs + milliseconds);
    this.endWatches(kinds);
  }

  tellBookmarks(): void {
    for (const watch of this.watches.values()) watch.tellBookmark();
  }

  /** With a kind everything of it goes, whatever finalizers there are: that takes longer in truth, and is no less final. */
  withdrawExtras(): void {
    for (const written of this.world.state.of(extra)) this.world.state.remove(written);
    this.servesExtras = false;
    this.endWatches([extra]);
  }

  private endWatches(of: readonly Resource[]): void {
    for (const [stream, watch] of this.watches) {
      if (!of.includes(watch.resource)) continue;
      watch.finish('', this.random.chance(0.5) ? new Error('aborted') : undefined);
      this.watches.delete(stream);
    }
  }

  private servedAt(path: string): Resource | undefined {
    const resource = this.byPath.get(path);
    return resource === extra && !this.servesExtras ? undefined : resource;
  }

  /** Each page is of the moment of the first one. */
  private list({ plural }: Resource, query: URLSearchParams): Answer {
    const { state } = this.world;
    const next = query.get('continue');
    const kept = next === null ? undefined : this.rests.get(next);
    if (next !== null && (!kept || kept.version < state.compacted || kept.restoredSeq !== state.restoredSeq)) {
      return expired;
    }
    const { version, items } = kept ?? { version: state.version, items: this.textsOf(plural) };
    const pageSize = items.length > largePage ? largePage : smallPage;
    const page = items.slice(0, Math.min(pageSize, Number(query.get('limit'))));
    const rest = { version, restoredSeq: state.restoredSeq, items: items.slice(page.length) };
    const token = rest.items.length > 0 ? `${plural}-${version}-${rest.items.length}` : '';
    if (token) this.rests.set(token, rest);
    const metadata = JSON.stringify({ resourceVersion: String(version), ...(token ? { continue: token } : {}) });
    return { status: 200, body: `{"kind":"List","metadata":${metadata},"items":[${page.join(',')}]}` };
  }

  private textsOf(plural: string): string[] {
    return [...this.world.state.objects.values()]
      .filter((each) => each.resource.plural === plural)
      .map(({ text }) => text);
  }
}
