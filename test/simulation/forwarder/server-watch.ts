import type { Resource } from '../../../lib/kubernetes/resource.ts';
import type { Random } from '../random.ts';
import type { ChunkStream } from './chunk-stream.ts';
import type { Written } from './cluster-state.ts';
import type { Fates } from './troubles.ts';
import type { World } from './world.ts';

const silenceMs = 120_000;
const expired = `{"type":"ERROR","object":${JSON.stringify({ kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' })}}\n`;

/** One watch, as the server has it. */
export class ServerWatch {
  readonly resource: Resource;
  private readonly world: World;
  private readonly fates: Fates;
  private readonly random: Random;
  private readonly stream: ChunkStream;
  private position: number;
  private isDue = false;
  /** Nothing is sent any more. */
  private isOver = false;

  constructor(world: World, fates: Fates, random: Random, stream: ChunkStream, resource: Resource, position: number) {
    this.world = world;
    this.fates = fates;
    this.random = random;
    this.stream = stream;
    this.resource = resource;
    this.position = position;
  }

  /** Everything that there is now, in any order, and then the bookmark that ends this, where the server knows it. */
  begin(objects: readonly Written[], knowsStreaming: boolean): void {
    const lines = objects.map(({ text }) => `{"type":"ADDED","object":${text}}\n`);
    lines.sort(() => this.random.next() - 0.5);
    const end = knowsStreaming ? [this.bookmark({ 'k8s.io/initial-events-end': 'true' })] : [];
    this.deliver([...lines, ...end]);
  }

  /** What it was to begin with is forgotten, which is told in the watch itself. */
  expire(): void {
    this.finish(expired);
  }

  /** What has come up is sent a little later, and with it whatever comes up until then. */
  soon(): void {
    if (this.isDue) return;
    this.isDue = true;
    this.world.time.after(this.fates.ofDelivery().lagMs, () => {
      this.isDue = false;
      this.flush([]);
    });
  }

  tellBookmark(): void {
    this.flush([this.bookmark({})]);
  }

  private flush(more: string[]): void {
    if (this.isOver || this.stream.isOver) return;
    const { history, version } = this.world.state;
    const news: Written[] = [];
    for (let place = history.length - 1; place >= 0; place -= 1) {
      const written = history[place] as Written;
      if (written.version <= this.position) break;
      if (written.resource === this.resource) news.push(written);
    }
    news.reverse();
    this.position = version;
    this.deliver([...news.map(({ type, text }) => `{"type":"${type}","object":${text}}\n`), ...more]);
  }

  private deliver(lines: string[]): void {
    const { end, isGarbled, isSilent } = this.fates.ofDelivery();
    if (this.isOver || lines.length === 0) return;
    if (isGarbled) lines.splice(this.random.below(lines.length), 1, garbled(lines[0] ?? '', this.random));
    this.world.maxAtOnce = Math.max(this.world.maxAtOnce, lines.length);
    const bytes = Buffer.from(lines.join(''));
    const cut = this.random.below(bytes.length);
    if (isSilent) this.fallSilent();
    else if (end === 'expired') this.expire();
    else if (end) this.finish(bytes.subarray(0, cut), end === 'broken' ? new Error('aborted') : undefined);
    else if (!this.fates.areOver && this.random.chance(0.3)) {
      this.stream.push(bytes.subarray(0, cut));
      this.stream.push(bytes.subarray(cut));
    } else this.stream.push(bytes);
  }

  /** The server ends it, or something on the way does. */
  finish(last: Buffer | string, error?: Error): void {
    this.isOver = true;
    this.stream.push(Buffer.from(last));
    this.stream.finish(error);
  }

  /** Nothing comes any more, and only that tells of it. */
  private fallSilent(): void {
    this.isOver = true;
    this.world.time.after(silenceMs, () => this.stream.finish(new Error(`silent for ${silenceMs} ms`)));
  }

  private bookmark(annotations: Record<string, string>): string {
    const { apiVersion, kind } = this.resource;
    const metadata = { resourceVersion: String(this.world.state.version), creationTimestamp: null, annotations };
    return `{"type":"BOOKMARK","object":${JSON.stringify({ apiVersion, kind, metadata })}}\n`;
  }
}

/** Nothing of it can be taken for what was sent. */
function garbled(line: string, random: Random): string {
  return random.chance(0.5) ? `${line.slice(0, line.length >> 1)}\n` : '<html>502 Bad Gateway</html>\n';
}
