import { resources } from '../../../../kubernetes/resources.ts';
import { type Declaration, objects, statusOf } from '../../../../reconcile/declaration.ts';
import { copySecret } from './step.ts';

export const declaration: Declaration = {
  name: copySecret.name,
  step: copySecret,
  purpose: 'put credentials where a Bucket wants them.',
  key: 'a Bucket',
  does: "Copies the credentials into the Bucket's namespace, and keeps them correct.",
  permissions: [
    { verbs: ['get'], on: [objects(resources.bucket)] },
    { verbs: ['patch'], on: [statusOf(resources.bucket)] },
    { verbs: ['get'], on: [objects(resources.bucketContent)] },
    {
      verbs: ['get', 'create', 'patch'],
      on: [objects(resources.secret)],
      why: "A Bucket can be in any namespace, and names its Secret as it likes. No Secret that is not the Bucket's is ever changed.",
    },
    { verbs: ['create'], on: [objects(resources.event)] },
  ],
};
