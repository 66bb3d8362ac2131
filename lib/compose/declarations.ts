import { watchedResources } from '../capabilities/all-capabilities.ts';
import { declared } from '../capabilities/declarations.ts';
import { type Declaration, permissionsOn } from '../reconcile/declaration.ts';

/** Whoever watches Secrets could read them all: manifests/rbac/forward-secrets.yaml allows that where it is wanted. */
const watched = watchedResources.filter(({ mayBeDenied }) => !mayBeDenied);

const forward: Declaration = {
  name: 'forward',
  purpose: 'see what changes, and change nothing but its own lease.',
  key: 'none',
  does: 'Lists and watches, and puts messages on the queues of the others ([forwarder.md](forwarder.md)).',
  permissions: permissionsOn(watched, ['list', 'watch']),
  ownPermissions: {
    why: 'One forwarder works at a time, and leaves to the next one how far it has come. Each deployment has a lease of its own, whose name is not known here.',
    permissions: [{ verbs: ['get', 'create', 'update'], on: [{ group: 'coordination.k8s.io', plural: 'leases' }] }],
  },
};

const resync: Declaration = {
  name: 'resync',
  purpose:
    "see what there is, and change nothing. It may not see Secrets: so it takes every bucket's credentials for something to be looked at, which costs a message each time and no more.",
  key: 'none',
  does: 'Puts messages for everything unfinished on the queues, whether a forwarder works or not ([resync.md](resync.md)).',
  permissions: permissionsOn(watched, ['list']),
};

/** It calls no cluster, so it has no account in one. */
const replay: Declaration = {
  name: 'replay',
  purpose: 'nothing.',
  key: 'none',
  does: 'Puts archived messages of a time range onto the queues again ([replay.md](replay.md)).',
  permissions: [],
};

/** Every function of a deployment. Those of capabilities can be left out of it. */
export const declarations: readonly (Declaration & { capability?: string })[] = [
  forward,
  resync,
  replay,
  ...Object.entries(declared).flatMap(([capability, all]) => all.map((each) => ({ ...each, capability }))),
];
