import { resources } from '../../../../kubernetes/resources.ts';
import { type Declaration, objects } from '../../../../reconcile/declaration.ts';
import {
  events,
  grants,
  marks,
  namespaces,
  podsInUse,
  requestsAndApprovals,
  statusOfBoth,
  volumes,
} from '../permissions.ts';
import { matchTransfer } from './step.ts';

export const declaration: Declaration = {
  name: matchTransfer.name,
  step: matchTransfer,
  purpose: 'match, fence, prepare the target, release the source.',
  key: 'a request',
  does: 'Matches it with its approval or a grant, carries the transfer to its point of no return, and cleans it up.',
  readsSettings: true,
  permissions: [
    { verbs: ['get', 'create', 'patch', 'delete'], on: [objects(resources.claim)] },
    volumes,
    podsInUse,
    requestsAndApprovals,
    {
      verbs: ['delete'],
      on: [objects(resources.transferRequest)],
      why: 'A request that is complete for as long as its owner wants to keep it.',
    },
    statusOfBoth,
    grants,
    namespaces,
    events,
    marks,
  ],
};
