import { resources } from '../../../../kubernetes/resources.ts';
import { type Declaration, objects, statusOf } from '../../../../reconcile/declaration.ts';
import { events } from '../permissions.ts';
import { matchApproval } from './step.ts';

export const declaration: Declaration = {
  name: matchApproval.name,
  step: matchApproval,
  purpose: 'tell an approval what its request lacks, and delete it when its time is over.',
  key: 'an approval',
  does: 'Reports on it what its request lacks, while the two do not match. Cleans it up.',
  permissions: [
    { verbs: ['get', 'delete'], on: [objects(resources.transferApproval)] },
    { verbs: ['get'], on: [objects(resources.transferRequest)] },
    { verbs: ['patch'], on: [statusOf(resources.transferApproval)] },
    events,
  ],
};
