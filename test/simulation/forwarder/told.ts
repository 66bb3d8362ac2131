import { type Checkpoint, parseCheckpoint } from '../../../lib/forwarder/checkpoint.ts';
import { checkpointTextOf, type LeaseRecord } from '../../../lib/forwarder/lease-record.ts';
import { isAfter } from '../../../lib/forwarder/progress.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import type { Written } from './cluster-state.ts';
import { concernedBy } from './concerned.ts';
import type { Sending } from './fake-queues.ts';
import type { FakeStore } from './fake-store.ts';
import { checkpointNames, keyText, kinds, needsOf, ownRoute, part, task } from './kinds.ts';
import type { World } from './world.ts';

/** Something that is to be told: a state of an object, and the key that it concerns. */
interface Due {
  key: string;
  written: Written;
}

/** The objects of one kind as they were at a version. */
interface Past {
  version: number;
  restoredSeq: number;
  place: number;
  objects: Map<string, Written>;
}

/** Who has been told what: nothing is left out in the end, and no checkpoint passes what is still to be told. */
export class Told {
  private readonly world: World;
  private readonly store: FakeStore | undefined;
  private readonly accepted = new Map<string, { sending: Sending; cause: Written }[]>();
  /** What was there when somebody read it last, by key. */
  private readonly seen = new Map<string, string[]>();
  private readonly pasts = new Map<Resource, Past>();
  /** After which restore the checkpoint of a kind went back. */
  private readonly wentBack = new Map([...checkpointNames.values()].map((name) => [name, 0]));
  /** What has been found to be told stays so. */
  private readonly known = new WeakSet<Written>();

  constructor(world: World, store: FakeStore | undefined) {
    this.world = world;
    this.store = store;
  }

  accept(sending: Sending, cause: Written): void {
    const ofKey = this.accepted.get(sending.key) ?? [];
    this.accepted.set(sending.key, ofKey);
    ofKey.push({ sending, cause });
  }

  /** Who reconciles the key reads the cluster now. */
  see(key: string): void {
    this.seen.set(key, this.concernsOf(key));
  }

  /** The first key of which somebody knows something else than what is so now. */
  missing(): string | undefined {
    for (const { resource, object } of this.world.state.objects.values()) {
      const route = ownRoute(resource, object);
      if (!route) continue;
      const key = keyText(route);
      const seen = this.seen.get(key) ?? [];
      const unseen = this.concernsOf(key).find((each) => !seen.includes(each));
      if (unseen) return `${key} has not been told of ${unseen}`;
    }
    return undefined;
  }

  /** All that matters to a key: each object at its version, and the parts that are needed, whether they are there or not. */
  private concernsOf(key: string): string[] {
    const { state } = this.world;
    return concernedBy(state, key).flatMap(({ resource, object, version }) => {
      const versionOf = (name: string) => `${name}@${state.get(part, name)?.version ?? 'none'}`;
      const parts = resource === task ? needsOf(object).map(versionOf) : [];
      return [`${object.metadata.name}@${version}`, ...parts];
    });
  }

  /** To be called with each write of the Lease. */
  checkLease(record: LeaseRecord, before: LeaseRecord | undefined): void {
    const [now, last] = [checkpointOf(record), checkpointOf(before)];
    for (const kind of kinds) {
      const name = checkpointNames.get(kind) ?? '';
      this.checkForward(name, last[name], now[name]);
      const version = Number(now[name] ?? 0);
      if (version <= this.world.state.version) this.checkAllTold(kind, version);
    }
  }

  /** Whether the Lease's checkpoint has come as far as its kinds have. */
  isCheckpointThere(record: LeaseRecord | undefined, served: readonly Resource[]): boolean {
    const checkpoint = checkpointOf(record);
    return served.every((kind) => {
      const last = this.world.state.history.findLast(({ resource }) => resource === kind);
      return !last || Number(checkpoint[checkpointNames.get(kind) ?? ''] ?? 0) >= last.version;
    });
  }

  private checkForward(name: string, last: string | undefined, now: string | undefined): void {
    const { version, restoredSeq } = this.world.state;
    if (last === undefined || Number(last) > version || (now !== undefined && !isAfter(last, now))) return;
    // Once after each restore it has to.
    if (this.wentBack.get(name) === restoredSeq) this.world.violate(`the checkpoint of ${name} goes back`);
    this.wentBack.set(name, restoredSeq);
  }

  private checkAllTold(kind: Resource, version: number): void {
    for (const written of this.pastOf(kind, version).values()) {
      if (this.known.has(written)) continue;
      const route = ownRoute(kind, written.object);
      if (!route || this.isTold({ key: keyText(route), written })) {
        this.known.add(written);
        continue;
      }
      const { name, resourceVersion } = written.object.metadata;
      this.world.tell(() => `checkpoint ${version}, ${kind.kind} ${name} at ${resourceVersion}`);
      this.world.violate(`the checkpoint of ${kind.plural} passes what is still to be told`);
    }
  }

  private isTold({ key, written }: Due): boolean {
    const { uid } = written.object.metadata;
    return (this.accepted.get(key) ?? []).some(({ sending, cause }) => {
      const isLater = cause.object.metadata.uid === uid ? cause.seq >= written.seq : sending.begunSeq >= written.seq;
      return isLater && (this.store?.stored.has(sending.message.deduplicationId) ?? true);
    });
  }

  private pastOf(kind: Resource, version: number): Map<string, Written> {
    const { history, restoredSeq } = this.world.state;
    let past = this.pasts.get(kind);
    if (!past || past.version > version || past.restoredSeq !== restoredSeq) {
      past = { version: 0, restoredSeq, place: 0, objects: new Map() };
      this.pasts.set(kind, past);
    }
    past.version = version;
    for (; past.place < history.length; past.place += 1) {
      const written = history[past.place] as Written;
      if (written.version > version) break;
      if (written.resource !== kind) continue;
      const name = `${written.object.metadata.namespace ?? ''}/${written.object.metadata.name}`;
      if (written.type === 'DELETED') past.objects.delete(name);
      else past.objects.set(name, written);
    }
    return past.objects;
  }
}

function checkpointOf(record: LeaseRecord | undefined): Checkpoint {
  return parseCheckpoint(checkpointTextOf(record) ?? '{}') ?? {};
}
