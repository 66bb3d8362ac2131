import { isOf } from '../../../kubernetes/of-kind.ts';
import { resources } from '../../../kubernetes/resources.ts';
import type { Change, Route } from '../../../reconcile/routing.ts';
import type { ApprovalIndex } from './approval-index.ts';
import { routesOfApproval, routesOfGrant, routesOfRequest } from './routes-of-consent.ts';
import { routesOfClaim, routesOfVolume } from './routes-of-storage.ts';
import type { WaitIndex } from './wait-index.ts';

export function routesOf(change: Change, index: WaitIndex, approvals: ApprovalIndex): Route[] {
  if (isOf(change, resources.transferRequest)) return routesOfRequest(change, change.object, index, approvals);
  if (isOf(change, resources.transferApproval)) return routesOfApproval(change, change.object, index, approvals);
  if (isOf(change, resources.referenceGrant)) return routesOfGrant(change, change.object, index);
  if (isOf(change, resources.claim)) return routesOfClaim(change, change.object, index);
  return isOf(change, resources.volume) ? routesOfVolume(change, change.object, index) : [];
}
