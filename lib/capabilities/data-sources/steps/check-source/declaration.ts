import { resources } from '../../../../kubernetes/resources.ts';
import { type Declaration, objects, statusOf } from '../../../../reconcile/declaration.ts';
import { checkSource } from './step.ts';

export const declaration: Declaration = {
  name: checkSource.name,
  step: checkSource,
  purpose: 'look at what claims get their data from, and say on the claims whether it is there.',
  key: 'a claim',
  does: 'Reports on every other claim with a data source whether its data is there.',
  readsSettings: true,
  permissions: [
    {
      verbs: ['get'],
      on: [objects(resources.claim)],
      why: 'Claims in any namespace ask for data, and claims are what is cloned.',
    },
    { verbs: ['patch'], on: [statusOf(resources.claim)] },
    {
      verbs: ['get'],
      on: [objects(resources.volume)],
      why: 'Who made a volume, for whom, and of which driver it is.',
    },
    { verbs: ['get'], on: [objects(resources.snapshot), objects(resources.snapshotContent)] },
    { verbs: ['list'], on: [objects(resources.volumePopulator)] },
    {
      verbs: ['list'],
      on: [objects(resources.referenceGrant)],
      why: 'A source in another namespace is looked at only if its owner lets the claim refer to it.',
    },
    {
      verbs: ['get'],
      on: [objects(resources.namespace)],
      why: 'Whether a grant is for the present namespace of its name, or was for an earlier one.',
    },
    { verbs: ['create'], on: [objects(resources.event)] },
  ],
};
