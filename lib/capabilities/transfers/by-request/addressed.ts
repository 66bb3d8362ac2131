import type { TransferApproval, TransferRequest } from '../../../kubernetes/objects.ts';

/** Whether an approval speaks to this request; it may still differ in what it agrees to. */
export function isAddressed({ metadata }: TransferRequest, { spec }: TransferApproval): boolean {
  return spec.targetNamespace === metadata.namespace && spec.requestName === metadata.name;
}
