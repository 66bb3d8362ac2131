import { resources } from '../../../../kubernetes/resources.ts';
import { type Declaration, objects, statusOf } from '../../../../reconcile/declaration.ts';
import { provisionBucketFrom } from './from-config.ts';
import { provisionBucketStep } from './step.ts';

export const declaration: Declaration = {
  name: provisionBucketStep.name,
  // A content that is gone was released by us.
  made: { ...provisionBucketStep, absentMeans: 'gone', from: provisionBucketFrom },
  purpose: 'see what a BucketContent is for, and say how far it is.',
  key: 'a content',
  does: 'Has the driver create the bucket and grant access, and stores the credentials. Has the driver undo it all.',
  permissions: [
    { verbs: ['get', 'list', 'patch', 'delete'], on: [objects(resources.bucketContent)] },
    { verbs: ['patch'], on: [statusOf(resources.bucketContent)] },
    { verbs: ['get'], on: [objects(resources.bucket)] },
    { verbs: ['get'], on: [objects(resources.registration)] },
    { verbs: ['create'], on: [objects(resources.event)] },
  ],
  ownPermissions: {
    why: "Credentials are kept in the system's own namespace, and so are the Secrets that classes name for their drivers.",
    permissions: [{ verbs: ['get', 'create', 'patch'], on: [objects(resources.secret)] }],
  },
};
