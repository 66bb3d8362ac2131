import { resources } from '../../../../kubernetes/resources.ts';
import { type Declaration, objects, statusOf } from '../../../../reconcile/declaration.ts';
import { bindBucket } from './step.ts';

export const declaration: Declaration = {
  name: bindBucket.name,
  step: bindBucket,
  purpose: 'take up Buckets, and make, bind and let go their BucketContents.',
  key: 'a Bucket',
  does: 'Creates a content from its class, waits for the driver and the Secret, and binds both. Releases them.',
  readsSettings: true,
  permissions: [
    { verbs: ['get', 'patch'], on: [objects(resources.bucket)] },
    { verbs: ['patch'], on: [statusOf(resources.bucket)] },
    { verbs: ['get'], on: [objects(resources.bucketClass)] },
    { verbs: ['get', 'create', 'patch', 'delete'], on: [objects(resources.bucketContent)] },
    { verbs: ['patch'], on: [statusOf(resources.bucketContent)] },
    {
      verbs: ['get'],
      on: [objects(resources.registration)],
      why: 'While nothing is heard of a driver, whether anybody is registered as such.',
    },
    {
      verbs: ['get'],
      on: [objects(resources.namespace)],
      why: 'Whether it is the one that a class was written for, or a later one of that name.',
    },
    { verbs: ['create'], on: [objects(resources.event)] },
  ],
};
