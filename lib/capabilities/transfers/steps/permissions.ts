import { resources } from '../../../kubernetes/resources.ts';
import { objects, type Permission, statusOf } from '../../../reconcile/declaration.ts';

/** Permissions that several steps of transfers need for the same reason. */

const { claim, namespace, pod, referenceGrant, transferApproval, transferRequest, volume } = resources;

export const claimStatus: Permission = { verbs: ['patch'], on: [statusOf(claim)] };
export const volumes: Permission = { verbs: ['get', 'patch'], on: [objects(volume)] };
export const podsInUse: Permission = {
  verbs: ['list'],
  on: [objects(pod)],
  why: 'The pods that use a claim are named while the transfer waits for them.',
};
export const requestsAndApprovals: Permission = {
  verbs: ['get'],
  on: [objects(transferRequest), objects(transferApproval)],
};
export const statusOfBoth: Permission = {
  verbs: ['patch'],
  on: [statusOf(transferRequest), statusOf(transferApproval)],
};
export const grants: Permission = {
  verbs: ['list'],
  on: [objects(referenceGrant)],
  why: 'A grant may stand for the approval.',
};
export const namespaces: Permission = {
  verbs: ['get'],
  on: [objects(namespace)],
  why: 'A namespace that was recreated under its name is not the one that was meant.',
};
export const events: Permission = { verbs: ['create'], on: [objects(resources.event)] };
export const marks: Permission = {
  verbs: ['write'],
  on: [{ group: 'longshore.dev', plural: 'marks' }],
  why: 'The marks of a transfer, which manifests/admission keeps from everybody else.',
};
