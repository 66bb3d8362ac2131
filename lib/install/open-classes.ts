import type { AnyObject } from './installable.ts';
import type { ObjectsApi } from './objects-api.ts';

interface BucketClass extends AnyObject {
  bucketIdentifier?: string;
  secretRef?: object;
}

const namespacesAnnotation = 'longshore.dev/namespaces';

/**
 * Classes that give existing data to whoever may create Buckets: with the role for users these are more people than
 * before, which whoever made the class could not know.
 */
export async function openClasses(api: ObjectsApi): Promise<string[]> {
  const classes = (await api.list<BucketClass>('/apis/cosi.io/v1alpha1/bucketclasses')) ?? [];
  const open = classes.filter(
    ({ metadata, bucketIdentifier, secretRef }) =>
      (bucketIdentifier !== undefined || secretRef !== undefined) &&
      metadata.annotations?.[namespacesAnnotation] === undefined,
  );
  return open.map(
    ({ metadata: { name } }) =>
      `BucketClass ${name} gives access to existing data, in every namespace: from now on everyone with the role edit there can get it. Annotate the class with ${namespacesAnnotation} first, or use --without-user-roles`,
  );
}
