import type { LeaseRecord } from '../../../lib/forwarder/lease-record.ts';
import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { displayName } from '../../../lib/kubernetes/resources.ts';

/** One change of one object. */
export interface Written {
  /** Counts everything that has ever happened, whatever becomes of the versions. */
  seq: number;
  version: number;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  resource: Resource;
  object: ClusterObject;
  /** The object as it is sent. */
  text: string;
}

interface Backup {
  version: number;
  objects: Map<string, Written>;
  history: Written[];
  lease: LeaseRecord | undefined;
}

/** How far versions are apart that a backup cannot know of: a restored server never comes as far again in one run. */
const otherWrites = 9_500;

/** What a cluster has stored, with versions that count all that is written to it. */
export class ClusterState {
  version = 90;
  seq = 0;
  /** Changes up to this version are forgotten. */
  compacted = 0;
  lease: LeaseRecord | undefined;
  /** By kind and name. */
  objects = new Map<string, Written>();
  history: Written[] = [];
  /** When the last restore was, by `seq`. */
  restoredSeq = 0;
  readonly onWritten: ((written: Written) => void)[] = [];
  private backup: Backup | undefined;

  get(resource: Resource, name: string): Written | undefined {
    return this.objects.get(`${resource.plural} ${name}`);
  }

  of(resource: Resource): Written[] {
    return [...this.objects.values()].filter((written) => written.resource === resource);
  }

  nextVersion(): string {
    this.version += 1;
    return String(this.version);
  }

  put(resource: Resource, object: ClusterObject): void {
    const id = idOf(resource, object);
    this.write(this.objects.has(id) ? 'MODIFIED' : 'ADDED', resource, object);
  }

  remove({ resource, object }: Written): void {
    this.write('DELETED', resource, object);
  }

  takeBackup(): void {
    const { version, lease } = this;
    this.backup = { version, lease, objects: new Map(this.objects), history: [...this.history] };
    this.version += otherWrites;
  }

  get hasSameHolderInBackup(): boolean {
    const holder = this.lease?.spec?.holderIdentity;
    return Boolean(holder) && this.backup?.lease?.spec?.holderIdentity === holder;
  }

  restore(): void {
    if (!this.backup) return;
    const { version, objects, history, lease } = this.backup;
    Object.assign(this, { version, lease, objects: new Map(objects), history: [...history] });
    this.compacted = Math.min(this.compacted, version);
    this.seq += 1;
    this.restoredSeq = this.seq;
  }

  private write(type: Written['type'], resource: Resource, given: ClusterObject): void {
    this.seq += 1;
    const object = { ...given, metadata: { ...given.metadata, resourceVersion: this.nextVersion() } };
    const { seq, version } = this;
    const written: Written = { seq, version, type, resource, object, text: JSON.stringify(object) };
    const id = idOf(resource, object);
    if (type === 'DELETED') this.objects.delete(id);
    else this.objects.set(id, written);
    this.history.push(written);
    for (const take of this.onWritten) take(written);
  }
}

export function idOf(resource: Resource, { metadata }: ClusterObject): string {
  return `${resource.plural} ${displayName(metadata)}`;
}
