import type { TransferApproval, TransferRequest } from '../../../kubernetes/objects.ts';

/** Whether an approval names this request; it may still differ in what it approves. */
export function isAddressed({ metadata }: TransferRequest, { spec }: TransferApproval): boolean {
  return spec.targetNamespace === metadata.namespace && spec.requestName === metadata.name;
}
