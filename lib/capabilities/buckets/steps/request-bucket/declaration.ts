import { resources } from '../../../../kubernetes/resources.ts';
import { type Declaration, objects } from '../../../../reconcile/declaration.ts';

/** Its step is created for each event. */
export const declaration: Declaration = {
  name: 'request-bucket',
  purpose: 'make and delete the Buckets that events ask for, and classes for adopted buckets.',
  key: 'an event',
  does: 'Creates and deletes Buckets that cloud events request.',
  permissions: [
    { verbs: ['get', 'create', 'delete'], on: [objects(resources.bucket)] },
    { verbs: ['get', 'create'], on: [objects(resources.bucketClass)] },
  ],
};
