import { resources } from '../../../../kubernetes/resources.ts';
import { type Declaration, objects } from '../../../../reconcile/declaration.ts';

/** A schedule starts it; it has no messages. */
export const declaration: Declaration = {
  name: 'sweep-buckets',
  purpose: 'see which buckets and credentials there should be, and say which there are.',
  key: 'none',
  does: 'Compares the stores with the clusters once a day, and reports what has lost its owner.',
  permissions: [{ verbs: ['list'], on: [objects(resources.bucketContent), objects(resources.bucketClass)] }],
  ownPermissions: {
    why: 'The Secrets that hold the keys, and those that classes name for their drivers. Creating cannot be confined to a name.',
    permissions: [
      { verbs: ['get'], on: [objects(resources.secret)] },
      { verbs: ['create'], on: [objects(resources.configMap)] },
      { verbs: ['get', 'patch'], on: [objects(resources.configMap)], names: ['bucket-orphans'] },
    ],
  },
};
