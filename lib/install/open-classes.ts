import type { AnyObject } from './installable.ts';
import type { ObjectsApi } from './objects-api.ts';
import type { PlanEntry } from './plan.ts';
import { isDefinition } from './server.ts';

interface BucketClass extends AnyObject {
  bucketIdentifier?: string;
  secretRef?: object;
}

const namespacesAnnotation = 'longshore.dev/namespaces';

/**
 * Classes that give existing data to whoever may create Buckets: with the role for users these are more people than
 * whoever made the class may have known of. Told whenever the plan touches that role or the kinds.
 */
export async function openClasses(api: ObjectsApi, entries: readonly PlanEntry[]): Promise<string[]> {
  if (!entries.some(({ object }) => isEditorsRole(object)) || !entries.some(concernsBuckets)) return [];
  const classes = (await api.list<BucketClass>('/apis/cosi.io/v1alpha1/bucketclasses')) ?? [];
  const open = classes.filter(
    ({ metadata, bucketIdentifier, secretRef }) =>
      (bucketIdentifier !== undefined || secretRef !== undefined) &&
      metadata.annotations?.[namespacesAnnotation] === undefined,
  );
  return open.map(
    ({ metadata: { name } }) =>
      `BucketClass ${name} gives access to existing data, in every namespace: everyone with the role edit there can get it. Annotate the class with ${namespacesAnnotation} first, or use --without-user-roles`,
  );
}

function isEditorsRole({ kind, metadata }: AnyObject): boolean {
  return kind === 'ClusterRole' && metadata.name === 'longshore-edit';
}

function concernsBuckets({ action, object }: PlanEntry): boolean {
  const isOfBuckets = isDefinition(object) && object.spec.group === 'cosi.io';
  return action !== 'unchanged' && (isEditorsRole(object) || isOfBuckets);
}
