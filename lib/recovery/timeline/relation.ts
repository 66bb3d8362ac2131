import type { Resource } from '../../kubernetes/resource.ts';

/** Something that belongs with an object, as far as the object itself tells: a name, which need not be anybody's. */
export type Related = readonly [resource: Resource, namespace: string | undefined, name: string | undefined];
