import { resources } from '../../kubernetes/resources.ts';
import type { Capability } from '../../reconcile/routing.ts';
import { BucketIndex } from './bucket-index.ts';
import { reconsider, routesOf } from './routes.ts';

/**
 * Buckets: maps each change to the Bucket, content or driver name that it concerns. Writes of our own steps send no
 * message.
 */
export const buckets: Capability = {
  name: 'buckets',
  functions: ['register-driver', 'bind-bucket', 'provision-bucket', 'copy-secret'],
  resources: [
    resources.registration,
    resources.bucketClass,
    resources.secret,
    resources.bucketContent,
    resources.bucket,
  ],
  // Whatever a server sends of a Secret, its data is not kept.
  reads: new Map([[resources.secret, {}]]),
  createRouter: () => {
    const index = new BucketIndex();
    return {
      note: (change) => index.note(change),
      routesOf: (change) => routesOf(change, index),
      reconsider: (change) => reconsider(change, index),
      leaveOut: (resource) => {
        if (resource === resources.secret) index.secrets.hide();
      },
    };
  },
};
