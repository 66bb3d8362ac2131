import { isClusterError } from '../../lib/kubernetes/errors.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { collectionPath } from '../../lib/kubernetes/resources.ts';
import { explained, lackingRights, unserved } from '../objects/refusals.ts';
import type { Work } from '../objects/work.ts';

/** What could be read, and what could not. */
export class Seen {
  /** What is in the caller's own namespace could not be seen. */
  isBlind = false;
  readonly namespace: string | undefined;
  private readonly api: Work['api'];
  private readonly denied: { resource: Resource; namespace: string | undefined }[] = [];
  private readonly unserved = new Set<Resource>();

  /** Without a namespace it is about all of them. */
  constructor({ api }: Pick<Work, 'api'>, namespace: string | undefined) {
    this.api = api;
    this.namespace = namespace;
  }

  /** What the caller may not do, in a sentence for each place. */
  lacking(): string[] {
    const places = Map.groupBy(this.denied, ({ namespace }) => namespace);
    return [...places].map(([namespace, all]) =>
      lackingRights(
        'list',
        all.map(({ resource }) => resource),
        namespace,
      ),
    );
  }

  /** Where Longshore has none of its kinds, nothing waits for it: it is not there. */
  refuseWithout(kinds: readonly [Resource, ...Resource[]]): void {
    if (kinds.every((each) => this.unserved.has(each))) throw new Error(unserved(kinds[0]));
  }

  /** None of a kind that the cluster does not have. */
  async list<T extends ClusterObject>(resource: Resource<T>): Promise<T[]> {
    const found = await this.listed(resource, this.namespace);
    if (!found) this.lack(resource, this.namespace);
    return found ?? [];
  }

  /** Of all namespaces, where that is allowed: other namespaces may request what is in this one. */
  async listEverywhere<T extends ClusterObject>(resource: Resource<T>): Promise<T[]> {
    const all = await this.listed(resource, undefined);
    if (all) return all;
    const own = this.namespace === undefined ? undefined : await this.listed(resource, this.namespace);
    if (own) this.denied.push({ resource, namespace: undefined });
    else this.lack(resource, this.namespace);
    return own ?? [];
  }

  private lack(resource: Resource, namespace: string | undefined): void {
    this.isBlind = true;
    this.denied.push({ resource, namespace });
  }

  /** Undefined if the caller may not list them. */
  private async listed<T extends ClusterObject>(resource: Resource<T>, namespace: string | undefined) {
    try {
      const found = await this.api.list<T>(collectionPath(resource, namespace));
      if (!found) this.unserved.add(resource);
      return found ?? [];
    } catch (error) {
      if (!isClusterError(error, 'denied')) throw explained({ verb: 'list', resource, namespace }, error);
      return undefined;
    }
  }
}
