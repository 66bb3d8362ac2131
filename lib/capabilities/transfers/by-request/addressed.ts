import type { TransferApproval, TransferRequest } from '../../../kubernetes/objects.ts';

/** True if an approval names this request; what it approves may still differ. */
export function isAddressed({ metadata }: TransferRequest, { spec }: TransferApproval): boolean {
  return spec.targetNamespace === metadata.namespace && spec.requestName === metadata.name;
}
