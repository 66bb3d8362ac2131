import type { Namespace } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { type ObjectName, resources } from '../../lib/kubernetes/resources.ts';
import { answeredError } from './answered-error.ts';

/** Which namespaces there are, and how many objects of a kind each may have. */
export class Namespaces {
  private readonly present = new Map<string, Namespace>();
  private readonly wanted = new Set<string>();
  private readonly quotas = new Map<string, Map<Resource, number>>();
  private readonly now: () => Date;
  private count = 0;

  constructor(now: () => Date) {
    this.now = now;
  }

  add(...names: string[]): void {
    for (const name of names) if (!this.present.has(name)) this.present.set(name, this.namespace(name, 0));
  }

  /** Other people take a name that is free by now. To empty a namespace takes a while, so it is another second. */
  makeAnew(name: string): void {
    if (!this.present.has(name)) this.present.set(name, this.namespace(name, 1000));
  }

  get(name: string): Namespace | undefined {
    return this.present.get(name);
  }

  all(): Namespace[] {
    return [...this.present.values()];
  }

  /** From now on nothing can be created in it. It goes when nothing is left in it. */
  terminate(name: string): void {
    const namespace = this.present.get(name);
    if (!namespace || namespace.metadata.deletionTimestamp) return;
    this.present.set(name, { ...namespace, metadata: { ...namespace.metadata, deletionTimestamp: this.time() } });
  }

  remove(name: string): void {
    this.present.delete(name);
    this.quotas.delete(name);
    if (this.wanted.has(name)) this.makeAnew(name);
  }

  /** From now on somebody makes them anew as soon as they are gone. */
  want(...names: string[]): void {
    for (const name of names) {
      this.wanted.add(name);
      this.makeAnew(name);
    }
  }

  /** How many objects of a kind a namespace may have from now on; what is there stays. Without a number, any number. */
  limit(namespace: string, resource: Resource, most: number | undefined): void {
    const quota = this.quotas.get(namespace) ?? new Map<Resource, number>();
    if (most === undefined) quota.delete(resource);
    else quota.set(resource, most);
    this.quotas.set(namespace, quota);
  }

  /** Refuses to create what has no namespace to be in, or one that goes, or one that is full. */
  admit({ resource, namespace = '', name }: ObjectName, present: () => number): void {
    if (!resource.namespaced) return;
    const found = this.present.get(namespace);
    if (!found) throw answeredError('rejected', `namespaces "${namespace}" not found`, 404);
    const forbidden = `${resource.plural} "${name}" is forbidden`;
    if (found.metadata.deletionTimestamp) {
      const reason = `unable to create new content in namespace ${namespace} because it is being terminated`;
      throw answeredError('rejected', `${forbidden}: ${reason}`, 403);
    }
    const most = this.quotas.get(namespace)?.get(resource);
    if (most === undefined || present() < most) return;
    throw answeredError('rejected', `${forbidden}: exceeded quota: ${resource.plural}`, 403);
  }

  private namespace(name: string, laterMs: number): Namespace {
    const { apiVersion, kind } = resources.namespace;
    this.count += 1;
    const uid = `00000000-0000-4000-9000-${String(this.count).padStart(12, '0')}`;
    return { apiVersion, kind, metadata: { name, uid, creationTimestamp: this.time(laterMs) } };
  }

  private time(laterMs = 0): string {
    return new Date(this.now().getTime() + laterMs).toISOString().replace(/\.\d+/, '');
  }
}
