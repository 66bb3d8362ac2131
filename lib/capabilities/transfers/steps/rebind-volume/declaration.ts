import { resources } from '../../../../kubernetes/resources.ts';
import { type Declaration, objects } from '../../../../reconcile/declaration.ts';
import * as shared from '../permissions.ts';
import { rebindVolume } from './step.ts';

export const declaration: Declaration = {
  name: rebindVolume.name,
  step: rebindVolume,
  purpose: 'the same objects, moved forward or back.',
  key: 'a volume',
  does: 'Continues the transfer that the volume is part of, of either kind, forward or back.',
  readsSettings: true,
  permissions: [
    { verbs: ['get', 'create', 'patch', 'delete'], on: [objects(resources.claim)] },
    shared.claimStatus,
    shared.volumes,
    shared.podsInUse,
    shared.requestsAndApprovals,
    shared.statusOfBoth,
    shared.grants,
    shared.namespaces,
    shared.events,
    shared.marks,
  ],
};
