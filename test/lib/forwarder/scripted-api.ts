import type { Answer, Api, Call, RawAnswer, Stream } from '../../../lib/kubernetes/connection.ts';
import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';

/** What a watch is answered: events or pieces of lines, and how it ends. One that hangs ends when it is aborted. */
export interface Told {
  status?: number;
  events: (object | string)[];
  end: 'closed' | 'hanging' | 'broken';
}

export type Page = { version: string; objects?: ClusterObject[]; next?: string } | { status: number; message?: string };

/** How an API server of a test answers. Each is asked with the plural, and how often it was asked before. */
export interface Script {
  /** At which version the server is. */
  current: (plural: string, asked: number) => Page;
  page: (plural: string, asked: number, query: URLSearchParams) => Page;
  watch: (plural: string, asked: number, from: string | undefined) => Told;
  /** False for one that has streaming lists switched off. */
  streams?: boolean;
  /** The plurals of a group that need not be there. */
  served?: (asked: number) => string[];
}

export const hanging: Told = { events: [], end: 'hanging' };

/** As an API server says it that does not begin a watch with a list. */
const refusal = {
  kind: 'Status',
  reason: 'Invalid',
  message:
    'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch',
};

/** Answers without a network, and writes down what it was asked. */
export class ScriptedApi implements Api {
  readonly asked: string[] = [];
  private readonly counts = new Map<string, number>();
  private readonly script: Script;

  constructor(script: Script) {
    this.script = script;
  }

  async send(call: Call): Promise<Answer> {
    const { status, body } = await this.sendForBytes(call);
    return { status, body: body.toString('utf8') };
  }

  async sendForBytes({ path }: Call): Promise<RawAnswer> {
    const { plural, query, isGroup } = partsOf(path);
    if (isGroup) {
      const served = this.script.served?.(this.note('what is served')) ?? [];
      return { status: 200, body: Buffer.from(JSON.stringify({ resources: served.map((name) => ({ name })) })) };
    }
    const isQuestion = query.get('limit') === '1';
    const count = this.note(isQuestion ? `${plural} now` : `${plural} page`);
    const page = isQuestion ? this.script.current(plural, count) : this.script.page(plural, count, query);
    const isPage = 'version' in page;
    const body = isPage ? listOf(page) : { kind: 'Status', message: page.message ?? 'not now' };
    return { status: isPage ? 200 : page.status, body: Buffer.from(JSON.stringify(body)) };
  }

  async open({ path }: Call, _?: number, signal?: AbortSignal): Promise<Stream> {
    const { plural, query } = partsOf(path);
    const isList = query.has('sendInitialEvents');
    if (isList && this.script.streams === false) {
      this.note(`${plural} stream refused`);
      return streamOf({ status: 422, events: [refusal], end: 'closed' }, signal);
    }
    const from = isList ? undefined : (query.get('resourceVersion') ?? '');
    const count = this.note(`${plural} watch`, from === undefined ? ' with a list' : ` from ${from}`);
    return streamOf(this.script.watch(plural, count, from), signal);
  }

  private note(question: string, more = ''): number {
    this.asked.push(question + more);
    const count = this.counts.get(question) ?? 0;
    this.counts.set(question, count + 1);
    return count;
  }
}

function streamOf({ status = 200, events, end }: Told, signal: AbortSignal | undefined): Stream {
  async function* pieces(): AsyncGenerator<Buffer> {
    for (const event of events) yield Buffer.from(typeof event === 'string' ? event : `${JSON.stringify(event)}\n`);
    if (end === 'broken') throw new Error('socket hang up');
    if (end === 'hanging' && !signal?.aborted)
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
  }
  return Object.assign(pieces(), { statusCode: status });
}

function partsOf(path: string) {
  const { pathname, searchParams } = new URL(path, 'https://server');
  const isGroup = /^\/apis\/[^/]+\/[^/]+$/.test(pathname);
  return { plural: pathname.split('/').at(-1) ?? '', query: searchParams, isGroup };
}

function listOf({ version, objects = [], next }: Extract<Page, { version: string }>): object {
  return { metadata: { resourceVersion: version, ...(next ? { continue: next } : {}) }, items: objects };
}

export function named(name: string, resourceVersion: string, more: Partial<ClusterObject['metadata']> = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { namespace: 'prod', name, uid: name, resourceVersion, ...more },
  };
}

export const added = (object: ClusterObject) => ({ type: 'ADDED', object });
export const bookmark = (resourceVersion: string) => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion, annotations: {} } },
});
export const listed = (resourceVersion: string) => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion, annotations: { 'k8s.io/initial-events-end': 'true' } } },
});
export const expired = { type: 'ERROR', object: { kind: 'Status', code: 410, message: 'too old resource version' } };
