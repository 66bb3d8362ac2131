import { resources } from '../../../../kubernetes/resources.ts';
import type { Step } from '../../../../reconcile/step.ts';
import { decide, decideFailed } from './decide.ts';
import { type BindingWorld, read } from './read.ts';

/** For each Bucket, from its class to a BucketContent that is bound to it, and to the end of both. */
export const bindBucket: Step<BindingWorld> = {
  name: 'bind-bucket',
  resource: resources.bucket,
  read,
  decide,
  subjects: ({ bucket }) => [bucket],
  decideFailed,
};
