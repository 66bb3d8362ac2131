import type { Selection } from '../../../json/selection.ts';
import type { Resource } from '../../../kubernetes/resource.ts';
import { resources } from '../../../kubernetes/resources.ts';
import type { Capability, Change } from '../../../reconcile/routing.ts';
import { ApprovalIndex } from './approval-index.ts';
import { annotationsToRoute } from './claim-marks.ts';
import { routesOf } from './routes.ts';
import { WaitIndex } from './wait-index.ts';

/**
 * Transfers by request and approval: maps each change to the requests and volumes that it concerns. A change by our own
 * steps that nothing waits for sends no message. Pods and quotas are not watched: objects that wait for those continue
 * with the next list.
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
