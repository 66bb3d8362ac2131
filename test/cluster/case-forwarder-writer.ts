import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Call, Connection } from '../../lib/kubernetes/connection.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Place } from '../../lib/kubernetes/places.ts';
import { collectionPath, objectPath } from '../../lib/kubernetes/resources.ts';
import type { Written } from './case-forwarder-history.ts';
import { noteOf, type Sort } from './case-forwarder-objects.ts';

const tryAgainMs = 100;
const mergePatch = 'application/merge-patch+json';

/**
 * Writes one object's versions, and notes each. Nobody else writes it: so whatever becomes of the API server meanwhile, a
 * write that is repeated until it is answered has made one version, and the answer tells which.
 */
export class Writer {
  readonly sort: Sort;
  readonly place: Place;
  written: Written | undefined;
  isGoing = false;
  private readonly connection: Pick<Connection, 'send'>;
  private readonly all: Written[];
  private count = 0;

  constructor(connection: Pick<Connection, 'send'>, sort: Sort, place: Place, all: Written[]) {
    this.connection = connection;
    this.sort = sort;
    this.place = place;
    this.all = all;
  }

  async create(): Promise<void> {
    const { resource, create } = this.sort;
    const path = collectionPath(resource, this.place.namespace);
    const made = await this.send({ method: 'POST', path, body: create(this.place, this.next()) });
    const object = made.status === 409 ? await this.send({ method: 'GET', path: this.path }) : made;
    const { metadata } = object.content;
    const { function: name, concern } = this.sort;
    this.written = {
      function: name,
      kind: resource.plural,
      key: this.place,
      uid: metadata.uid ?? '',
      versions: [],
      concerning: [],
    };
    this.all.push(this.written);
    this.note(object.content, concern !== undefined);
  }

  async change(isOfConcern: boolean): Promise<void> {
    const { concern } = this.sort;
    const metadata = concern && isOfConcern ? concern(this.place, this.next()) : noteOf(this.next());
    // Of some kinds every change is of concern.
    const concerns = concern !== undefined && (isOfConcern || !this.sort.isFenced);
    this.note((await this.patch(metadata)).content, concerns);
  }

  /** Asks it to go, which is of concern: our finalizer holds it until that is known. */
  async delete(): Promise<void> {
    const { content } = await this.send({ method: 'DELETE', path: this.path });
    this.isGoing = true;
    this.note(content, true);
  }

  /** Takes its finalizers off, as a step does that has dealt with its deletion. */
  async letGo(): Promise<void> {
    await this.patch({ finalizers: null });
    this.isGoing = false;
    this.written = undefined;
  }

  private get path(): string {
    return objectPath({ resource: this.sort.resource, ...this.place });
  }

  private next(): number {
    this.count += 1;
    return this.count;
  }

  private patch(metadata: object) {
    return this.send({ method: 'PATCH', path: this.path, body: { metadata }, contentType: mergePatch });
  }

  private note({ metadata }: ClusterObject, isOfConcern: boolean): void {
    const version = Number(metadata.resourceVersion);
    if (!this.written || metadata.uid !== this.written.uid || !version)
      throw new Error(`a stranger is at ${this.path}`);
    this.written.versions.push(version);
    if (isOfConcern) this.written.concerning.push(version);
  }

  /** Again and again until it is answered by a server that is ready. */
  private async send(call: Call): Promise<{ status: number; content: ClusterObject }> {
    for (;;) {
      const answer = await this.connection.send(call).catch(() => undefined);
      if (!answer || isUnready(answer)) {
        await pause(tryAgainMs);
        continue;
      }
      const { status, body } = answer;
      // A write that was made, but whose answer was lost, meets itself.
      const isMade = (status === 409 && call.method === 'POST') || (status === 404 && call.method === 'PATCH');
      if (status >= 300 && !isMade) throw new Error(`${call.method} ${call.path} was answered with ${status}: ${body}`);
      return { status, content: JSON.parse(body) as ClusterObject };
    }
  }
}

/** A server that has just started may not know yet what it serves, nor whom it lets do what. */
function isUnready({ status, body }: Answer): boolean {
  return status === 429 || status >= 500 || (status === 404 && !body.startsWith('{')) || body.includes('not yet ready');
}
