import { inParallel } from '../forward/api-requests.ts';
import { pathOf, requestIn, type Site } from './site.ts';

const width = 48;
const lookEveryMs = 2_000;
const pageSize = 500;

/** Thousands of requests of one namespace, created as fast as the API server accepts them. */
export class Flood {
  tookMs = 0;
  isOver = false;
  private readonly site: Site;
  private readonly namespace: string;

  private constructor(site: Site, namespace: string) {
    this.site = site;
    this.namespace = namespace;
  }

  static async begin(site: Site, count: number): Promise<Flood> {
    const flood = new Flood(site, await site.makeNamespace());
    void flood.run(count).catch((error) => {
      console.error(error);
      process.exit(1);
    });
    return flood;
  }

  async remove(): Promise<void> {
    const { requests } = this.site;
    await requests.delete(pathOf(this.namespace));
    while ((await this.look()) !== 'none') await this.site.pause(lookEveryMs);
  }

  private async run(count: number): Promise<void> {
    const { requests, pause } = this.site;
    const begun = performance.now();
    await inParallel(count, width, async (index) => {
      const name = `request-${String(index).padStart(5, '0')}`;
      await requests.create(pathOf(this.namespace), requestIn(this.namespace, name));
    });
    while ((await this.look()) !== 'all answered') await pause(lookEveryMs);
    this.tookMs = performance.now() - begun;
    this.isOver = true;
  }

  /** An overloaded server may close a connection. */
  private look(): Promise<'none' | 'all answered' | 'some'> {
    return this.unanswered().catch(() => 'some');
  }

  /** Page by page, and only up to the first one without a status. */
  private async unanswered(): Promise<'none' | 'all answered' | 'some'> {
    const { requests } = this.site;
    let next: string | undefined;
    let count = 0;
    do {
      const query = `?limit=${pageSize}${next ? `&continue=${encodeURIComponent(next)}` : ''}`;
      const { text } = await requests.get(`${pathOf(this.namespace)}${query}`);
      const { items, metadata } = JSON.parse(text) as {
        items: { status?: { conditions?: unknown } }[];
        metadata: { continue?: string };
      };
      count += items.length;
      if (items.some(({ status }) => !status?.conditions)) return 'some';
      next = metadata.continue;
    } while (next);
    return count === 0 ? 'none' : 'all answered';
  }
}
