import fc, { type Arbitrary } from 'fast-check';
import type { Answer, Api, Call, RawAnswer } from '../../../../lib/kubernetes/connection.ts';
import { nameOf, objectPath, resources } from '../../../../lib/kubernetes/resources.ts';
import { fixtures } from '../../../fuzz/fixtures.ts';
import { mergePatch } from '../../../simulation/merge-patch.ts';
import { content, contentName } from '../buckets/bucket-stages.ts';
import { marked, secret } from './marks.ts';

/**
 * What a call is answered. `right` is the truth; the others repeat what they were sent, as badly configured proxies and
 * servers do, or break off in the middle of an object.
 */
export type Manner = 'right' | 'echo' | 'cut' | 'garbled' | { status: number; reason: string };

const refusals = fc.record({
  status: fc.constantFrom(400, 401, 403, 404, 409, 410, 422, 429, 500, 503),
  reason: fc.constantFrom('NotFound', 'AlreadyExists', 'Conflict', 'Forbidden', 'Invalid'),
});

export const manners: Arbitrary<Manner[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Manner>('right') },
    { weight: 2, arbitrary: fc.constantFrom<Manner>('echo', 'cut', 'garbled') },
    { weight: 2, arbitrary: refusals },
  ),
  { minLength: 1, maxLength: 12 },
);

interface Served {
  metadata: { name: string };
}

/** An API server full of secrets, which keeps account of what it is told for people to read. */
export class TalkativeApi implements Pick<Api, 'send' | 'sendForBytes'> {
  /** Events, what objects are to say of themselves, and the report of a sweep. */
  readonly told: string[] = [];
  private readonly objects = new Map<string, Served>();
  private readonly manners: readonly Manner[];
  private calls = 0;

  constructor(manners: readonly Manner[]) {
    this.manners = manners;
    for (const [path, object] of fixtures) this.put(path, marked(object));
    // For nothing of it is there anything in the store yet.
    this.put(objectPath(nameOf(resources.bucketContent, undefined, contentName)), marked(content()));
  }

  async sendForBytes(call: Call): Promise<RawAnswer> {
    const { status, body } = await this.send(call);
    return { status, body: Buffer.from(body) };
  }

  async send(call: Call): Promise<Answer> {
    this.listen(call);
    const manner = this.manners[this.calls % this.manners.length] ?? 'right';
    this.calls += 1;
    if (manner === 'echo') return { status: 502, body: requestTextOf(call) };
    if (typeof manner === 'object') return refusalOf(manner, call);
    const { status, answer } = this.answer(call);
    const body = JSON.stringify(answer);
    if (status >= 400) return { status, body };
    if (manner === 'cut') return { status, body: body.slice(0, body.indexOf(secret) + secret.length) };
    return { status, body: manner === 'garbled' ? `${secret}${body}` : body };
  }

  private listen({ path, body = {} }: Call): void {
    const isForPeople = /\/events$|\/status$|\/configmaps(\/|$)/.test(path.split('?')[0] ?? '');
    if (isForPeople) this.told.push(JSON.stringify(body));
  }

  private answer({ method, path, body }: Call): { status: number; answer: object } {
    const place = (path.split('?')[0] ?? '').replace(/\/status$/, '');
    const found = this.objects.get(place);
    if (method === 'POST') return { status: 201, answer: this.keep(place, body as Served) };
    if (found && method === 'PATCH') return { status: 200, answer: this.put(place, mergePatch(found, body) as Served) };
    if (found) return { status: 200, answer: found };
    if (method === 'GET' && !place.includes('.')) return { status: 200, answer: { items: this.below(place) } };
    return { status: 404, answer: { kind: 'Status', reason: 'NotFound', message: `${place} not found` } };
  }

  private keep(collection: string, object: Served): Served {
    const made = mergePatch(object, { metadata: { uid: 'uid-made', resourceVersion: '1' } }) as Served;
    return this.put(`${collection}/${object.metadata.name}`, made);
  }

  private put(path: string, object: Served): Served {
    this.objects.set(path, object);
    return object;
  }

  private below(place: string): Served[] {
    const isBelow = (path: string) => path.startsWith(`${place}/`) && !path.slice(place.length + 1).includes('/');
    return [...this.objects].filter(([path]) => isBelow(path)).map(([, object]) => object);
  }
}

function requestTextOf({ method, path, body }: Call): string {
  const headers = `authorization: Bearer ${secret}\ncookie: ${secret}`;
  return `Bad Gateway: ${method} ${path}\n${headers}\n\n${body === undefined ? '' : JSON.stringify(body)}`;
}

const lastApplied = { kind: 'Secret', data: { any: secret }, stringData: { 'a.json': `{"a":{"b":"${secret}"}}` } };
const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(lastApplied) };
const refused = { ...lastApplied, metadata: { annotations } };

function refusalOf({ status, reason }: Exclude<Manner, string>, { body }: Call): Answer {
  // Some quote the object as a text, and an object may hold another one as a text.
  const object = body ? JSON.stringify(JSON.stringify(refused)) : '';
  const message = `admission webhook "x" denied {"token":"${secret}"} object ${object}\nAuthorization: token ${secret}`;
  return { status, body: JSON.stringify({ kind: 'Status', reason, message, code: status }) };
}
