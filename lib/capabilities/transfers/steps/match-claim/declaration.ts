import { resources } from '../../../../kubernetes/resources.ts';
import { type Declaration, objects } from '../../../../reconcile/declaration.ts';
import { claimStatus, events, marks, namespaces, podsInUse, volumes } from '../permissions.ts';
import { matchClaim } from './step.ts';

export const declaration: Declaration = {
  name: matchClaim.name,
  step: matchClaim,
  purpose: 'keep the volume of a claim that is offered safe, and hand it over.',
  key: 'a claim',
  does: 'Secures the volume of an offered claim. Reports on an accepting claim what it waits for.',
  readsSettings: true,
  permissions: [
    { verbs: ['get', 'patch'], on: [objects(resources.claim)] },
    claimStatus,
    volumes,
    podsInUse,
    namespaces,
    events,
    marks,
  ],
};
