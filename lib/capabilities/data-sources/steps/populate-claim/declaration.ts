import { resources } from '../../../../kubernetes/resources.ts';
import { type Declaration, objects, statusOf } from '../../../../reconcile/declaration.ts';
import { populateClaim } from './step.ts';

export const declaration: Declaration = {
  name: populateClaim.name,
  step: populateClaim,
  purpose: "make a volume from a snapshot in Longshore's own namespace, and give it to a claim.",
  key: 'a claim; a name of copies',
  does: 'Creates a volume from a snapshot of another namespace, or behind a link, and gives it to the claim.',
  readsSettings: true,
  permissions: [
    { verbs: ['get', 'patch'], on: [objects(resources.claim)] },
    { verbs: ['patch'], on: [statusOf(resources.claim)] },
    {
      verbs: ['get', 'list', 'patch'],
      on: [objects(resources.volume)],
      why: 'They are listed only when a volume may have been made for a prime claim that is gone.',
    },
    { verbs: ['get'], on: [objects(resources.storageClass)] },
    { verbs: ['list'], on: [objects(resources.referenceGrant)] },
    {
      verbs: ['get'],
      on: [objects(resources.namespace)],
      why: 'Whether a grant is for the present namespace of its name, or was for an earlier one.',
    },
    { verbs: ['get'], on: [objects(resources.snapshot), objects(resources.snapshotLink)] },
    {
      verbs: ['get', 'create', 'delete'],
      on: [objects(resources.snapshotContent)],
      why: 'Contents have no namespace: it makes and deletes its own, which are named populate-<uid of the claim>.',
    },
    { verbs: ['create'], on: [objects(resources.event)] },
    {
      verbs: ['write'],
      on: [{ group: 'longshore.dev', plural: 'marks' }],
      why: 'The marks on claims, which manifests/admission keeps from everybody else.',
    },
  ],
  ownPermissions: {
    why: 'The copies are made nowhere else.',
    permissions: [
      { verbs: ['create', 'delete'], on: [objects(resources.claim)] },
      { verbs: ['create', 'delete'], on: [objects(resources.snapshot)] },
      {
        verbs: ['list'],
        on: [objects(resources.event)],
        why: "What the provisioner says of a prime claim is repeated to the user's.",
      },
    ],
  },
};
