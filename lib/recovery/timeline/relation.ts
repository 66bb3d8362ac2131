import type { Resource } from '../../kubernetes/resource.ts';

/** A related object, according to the object itself. It need not exist. */
export type Related = readonly [resource: Resource, namespace: string | undefined, name: string | undefined];
