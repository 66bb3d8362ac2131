import { resources } from '../../../../kubernetes/resources.ts';
import type { Step } from '../../../../reconcile/step.ts';
import { decide, decideFailed } from './decide.ts';
import { type CopyingWorld, read } from './read.ts';

/** Copies the credentials of a Bucket from the Secret of its driver or an administrator into the Bucket's namespace. */
export const copySecret: Step<CopyingWorld> = {
  name: 'copy-secret',
  resource: resources.bucket,
  read,
  decide,
  subjects: ({ bucket }) => [bucket],
  decideFailed,
};
