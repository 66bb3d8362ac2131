import type { TransferRequest } from '../../../kubernetes/objects.ts';
import { identityOf, type Place } from '../../../kubernetes/places.ts';
import type { TransferIdentity } from './claim-marks.ts';

/** A transfer, its source and its destination. */
export interface Course {
  transfer: TransferIdentity;
  source: Place;
  target: Place;
  /** The name of the approval, which is in the source's namespace; empty if a grant replaces it. */
  approval: string;
}

/** The course that a request asks for. */
export function courseOf(request: TransferRequest): Course {
  const transfer = identityOf(request);
  const { source, targetName, approvalName = '' } = request.spec;
  return {
    transfer,
    source: { namespace: source.namespace, name: source.name },
    target: { namespace: transfer.namespace, name: targetName },
    approval: approvalName,
  };
}
