import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { type ObjectName, objectPath } from '../../lib/kubernetes/resources.ts';

/** Objects by kind and place, each with the version before. */
export class KeptObjects {
  private readonly byKind: Kept = new Map();
  private readonly previous: Kept = new Map();
  /** To look at a name takes long, and they are always the same. */
  private readonly legal = new Set<string>();

  get(object: ObjectName): ClusterObject | undefined {
    return this.byKind.get(object.resource.kind)?.get(this.placeOf(object));
  }

  /** The version before the present one, if there is any. */
  before(object: ObjectName): ClusterObject | undefined {
    return this.previous.get(object.resource.kind)?.get(this.placeOf(object));
  }

  all({ kind }: Resource, namespace: string | undefined): ClusterObject[] {
    const objects = [...(this.byKind.get(kind)?.values() ?? [])];
    return namespace === undefined ? objects : objects.filter(({ metadata }) => metadata.namespace === namespace);
  }

  set(object: ObjectName, body: ClusterObject): void {
    const before = this.get(object);
    if (before) ofKind(this.previous, object).set(this.placeOf(object), before);
    ofKind(this.byKind, object).set(this.placeOf(object), body);
  }

  delete(object: ObjectName): void {
    ofKind(this.byKind, object).delete(this.placeOf(object));
    ofKind(this.previous, object).delete(this.placeOf(object));
  }

  private placeOf(object: ObjectName): string {
    const { namespace = '', name } = object;
    const place = `${namespace}/${name}`;
    if (this.legal.has(place)) return place;
    objectPath(object);
    this.legal.add(place);
    return place;
  }
}

type Kept = Map<string, Map<string, ClusterObject>>;

function ofKind(kept: Kept, { resource }: ObjectName): Map<string, ClusterObject> {
  const known = kept.get(resource.kind);
  if (known) return known;
  const fresh = new Map<string, ClusterObject>();
  kept.set(resource.kind, fresh);
  return fresh;
}
