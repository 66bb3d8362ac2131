import type { TransferApproval, TransferRequest } from '../cluster/objects.ts';
import { displayName, resources } from '../cluster/resources.ts';
import type { Blocker } from './status.ts';

/** The six conditions under which a request and an approval belong together: each a pair of fields that must be equal. */
const pairs: [string, (r: TransferRequest) => unknown, string, (a: TransferApproval) => unknown][] = [
  ['metadata.name', (r) => r.metadata.name, 'spec.requestName', (a) => a.spec.requestName],
  ['metadata.namespace', (r) => r.metadata.namespace, 'spec.targetNamespace', (a) => a.spec.targetNamespace],
  ['spec.source.namespace', (r) => r.spec.source.namespace, 'metadata.namespace', (a) => a.metadata.namespace],
  ['spec.source.name', (r) => r.spec.source.name, 'spec.source.name', (a) => a.spec.source.name],
  ['spec.source.kind', (r) => r.spec.source.kind, 'spec.source.kind', (a) => a.spec.source.kind],
  ['spec.approvalName', (r) => r.spec.approvalName, 'metadata.name', (a) => a.metadata.name],
];

/** What keeps the two from matching, in words for the user; empty when they match. */
function differences(request: TransferRequest, approval: TransferApproval): string[] {
  return pairs
    .filter(([, ofRequest, , ofApproval]) => ofRequest(request) !== ofApproval(approval))
    .map(
      ([requestField, ofRequest, approvalField, ofApproval]) =>
        `the request's ${requestField} is ${quote(ofRequest(request))}, the approval's ${approvalField} is ${quote(ofApproval(approval))}`,
    );
}

/** Both sides want the transfer now: both are there, match, and neither is being deleted. */
export function consented(
  request: TransferRequest | undefined,
  approval: TransferApproval | undefined,
): request is TransferRequest {
  if (!request || !approval) return false;
  if (request.metadata.deletionTimestamp || approval.metadata.deletionTimestamp) return false;
  return differences(request, approval).length === 0;
}

/** What is wrong with the request by itself. The schema refuses most of it already, but a schema can be an older one. */
export function requestBlocker({ spec, metadata }: TransferRequest): Blocker | undefined {
  const missing = (['approvalName', 'targetName'] as const).find((field) => !spec[field]);
  if (missing) return reject('Invalid', `spec.${missing} is missing: make a request that names it`);
  const { kind, namespace, name } = spec.source ?? {};
  if (!namespace || !name) return reject('Invalid', 'spec.source must have a namespace and a name');
  if (kind !== resources.claim.kind) {
    return reject('UnknownKind', `spec.source.kind is ${quote(kind)}: only PersistentVolumeClaim can be moved`);
  }
  if (namespace === metadata.namespace && name === spec.targetName) {
    return reject('Invalid', `source and target are the same claim, ${namespace}/${name}`);
  }
  return undefined;
}

/** What is wrong with the approval, as seen from the request. */
export function approvalBlocker(request: TransferRequest, approval: TransferApproval | undefined): Blocker | undefined {
  const name = displayName({ namespace: request.spec.source.namespace, name: request.spec.approvalName });
  if (!approval || approval.metadata.deletionTimestamp) {
    const message = `there is no StorageTransferApproval ${name}: whoever owns the source claim must create it`;
    return { stage: 'Matched', verdict: 'wait', reason: 'ApprovalMissing', message };
  }
  const found = differences(request, approval);
  if (found.length === 0) return undefined;
  // What an approval for somebody else says is nobody's business here.
  const details =
    approval.spec.targetNamespace === request.metadata.namespace ? found.join('; ') : 'it is for another namespace';
  return reject('ApprovalDiffers', `approval ${name} does not match this request: ${details}`);
}

function reject(reason: string, message: string): Blocker {
  return { stage: 'Matched', verdict: 'reject', reason, message };
}

function quote(value: unknown): string {
  return JSON.stringify(value) ?? 'absent';
}
