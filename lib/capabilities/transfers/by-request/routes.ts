import type { Selection } from '../../../json/selection.ts';
import type { Claim, ReferenceGrant, TransferApproval, TransferRequest, Volume } from '../../../kubernetes/objects.ts';
import type { Resource } from '../../../kubernetes/resource.ts';
import { resources } from '../../../kubernetes/resources.ts';
import type { Capability, Change, Route } from '../../../reconcile/routing.ts';
import { ApprovalIndex } from './approval-index.ts';
import { annotationsToRoute } from './claim-marks.ts';
import { routesOfClaim, routesOfVolume } from './routes-of-storage.ts';
import { routesOfApproval, routesOfGrant, routesOfRequest } from './routes-of-wishes.ts';
import { WaitIndex } from './wait-index.ts';

/**
 * Transfers by request and approval: which change concerns which request or volume. A change that our own steps made, and
 * that nothing waits for, costs no message. Pods and quotas are not watched: what waits for those goes on at the next list.
 */
export const transfersByRequest: Capability = {
  name: 'transfers by request',
  functions: ['match-transfer', 'match-approval', 'rebind-volume'],
  resources: [
    resources.volume,
    resources.claim,
    resources.referenceGrant,
    resources.transferApproval,
    resources.transferRequest,
  ],
  reads: new Map<Resource, Selection>([
    [resources.volume, { spec: { claimRef: { uid: true } } }],
    [
      resources.claim,
      { metadata: { annotations: annotationsToRoute }, spec: { volumeName: true }, status: { phase: true } },
    ],
  ]),
  createRouter: () => {
    const [index, approvals] = [new WaitIndex(), new ApprovalIndex()];
    const note = (change: Change) => {
      index.note(change);
      approvals.note(change);
    };
    return { note, routesOf: (change) => routesOf(change, index, approvals) };
  },
};

function routesOf(change: Change, index: WaitIndex, approvals: ApprovalIndex): Route[] {
  switch (change.resource) {
    case resources.transferRequest:
      return routesOfRequest(change, change.object as TransferRequest, index, approvals);
    case resources.transferApproval:
      return routesOfApproval(change, change.object as TransferApproval, index, approvals);
    case resources.referenceGrant:
      return routesOfGrant(change, change.object as ReferenceGrant, index);
    case resources.claim:
      return routesOfClaim(change, change.object as Claim, index);
    case resources.volume:
      return routesOfVolume(change, change.object as Volume, index);
    default:
      return [];
  }
}
