import { appliesTo, howToConfirm, whyUnconfirmed } from '../../../kubernetes/namespace-consent.ts';
import type {
  Claim,
  ClusterObject,
  Namespace,
  ReferenceGrant,
  TransferApproval,
  TransferRequest,
} from '../../../kubernetes/objects.ts';
import { isGranted } from '../../../kubernetes/reference-grants.ts';
import { displayName, groupOf, isLegalName, resources } from '../../../kubernetes/resources.ts';
import { type Obstacle, reject, waitFor } from '../../../reconcile/obstacle.ts';
import type { StagedObstacle } from '../reasons.ts';
import type { TransferWorld } from '../world.ts';
import {
  goneClaimForOwner,
  isForClaim,
  replacedClaim,
  replacedClaimForOwner,
  uidDifference,
} from './approved-claim.ts';

/** The conditions under which a request and an approval belong together: each a pair of fields that must be equal. */
const pairs: [string, (r: TransferRequest) => unknown, string, (a: TransferApproval) => unknown][] = [
  ['metadata.name', (r) => r.metadata.name, 'spec.requestName', (a) => a.spec.requestName],
  ['metadata.namespace', (r) => r.metadata.namespace, 'spec.targetNamespace', (a) => a.spec.targetNamespace],
  ['spec.source.namespace', (r) => r.spec.source.namespace, 'metadata.namespace', (a) => a.metadata.namespace],
  ['spec.source.name', (r) => r.spec.source.name, 'spec.source.name', (a) => a.spec.source.name],
  ['spec.source.apiVersion (its group)', groupOfSource, 'spec.source.apiGroup', (a) => a.spec.source.apiGroup ?? ''],
  ['spec.source.kind', (r) => r.spec.source.kind, 'spec.source.kind', (a) => a.spec.source.kind],
  ['spec.approvalName', (r) => r.spec.approvalName, 'metadata.name', (a) => a.metadata.name],
];

function groupOfSource({ spec }: TransferRequest): string {
  return groupOf({ apiVersion: spec.source.apiVersion ?? resources.claim.apiVersion });
}

/** The differences between the two, for users; empty if they match. */
function differences(request: TransferRequest, approval: TransferApproval): string[] {
  const fields = pairs
    .filter(([, ofRequest, , ofApproval]) => ofRequest(request) !== ofApproval(approval))
    .map(
      ([requestField, ofRequest, approvalField, ofApproval]) =>
        `the request's ${requestField} is ${quote(ofRequest(request))}, the approval's ${approvalField} is ${quote(ofApproval(approval))}`,
    );
  return [...fields, ...uidDifference(request, approval)];
}

/** True if the two agree: both exist, match, and neither is being deleted. */
export function matches(request: TransferRequest | undefined, approval: TransferApproval | undefined): boolean {
  if (!request || !approval) return false;
  if (request.metadata.deletionTimestamp || approval.metadata.deletionTimestamp) return false;
  return differences(request, approval).length === 0;
}

/** An approval is for one transfer: once that is complete it covers no other. */
export function isUsed({ status }: TransferApproval): boolean {
  return status?.complete === true;
}

/** True if the approval, as it is now, covers the transfer of this very claim. */
export function covers(
  approval: TransferApproval | undefined,
  request: TransferRequest,
  source: Claim | undefined,
): approval is TransferApproval {
  return approval !== undefined && matches(request, approval) && !isUsed(approval) && isForClaim(approval, source);
}

/** True if a request still asks for its transfer: not if it is deleted or complete. */
export function isOpen(request: TransferRequest | undefined): request is TransferRequest {
  return request !== undefined && !request.metadata.deletionTimestamp && !request.status?.complete;
}

type Consents = Pick<
  TransferWorld,
  'approval' | 'grants' | 'settings' | 'source' | 'sourceNamespace' | 'targetNamespace'
>;

/** Both sides want the transfer now, and the cluster's administrator does not forbid it. */
export function consented(request: TransferRequest | undefined, consents: Consents): request is TransferRequest {
  return request !== undefined && !request.metadata.deletionTimestamp && withdrawal(request, consents) === undefined;
}

/** The reason why the two sides do not agree now: then the transfer is rolled back. */
export function withdrawal(request: TransferRequest, consents: Consents): StagedObstacle | undefined {
  const setting = consents.settings?.transfersByRequest;
  if (setting && !setting.isOn) return waitFor('TransfersOff', setting.reason);
  // Nothing about the other namespace is disclosed without its consent.
  return (
    refusal(request, consents) ??
    replaced(`request ${displayName(request.metadata)}`, request, consents.sourceNamespace)
  );
}

/** The reason why the source's side does not consent: neither a grant nor the approval covers the request. */
function refusal(
  request: TransferRequest,
  { grants = [], approval, source, targetNamespace }: Consents,
): StagedObstacle | undefined {
  const present = grants.filter((grant) => appliesTo(grant, targetNamespace));
  if (isCovered(request, present)) return undefined;
  const isMeant = approval !== undefined && appliesTo(approval, targetNamespace);
  const covering = isMeant ? approval : undefined;
  return approvalObstacle(request, covering, targetNamespace) ?? (covering && replacedClaim(covering, source));
}

/**
 * The report on an approval, in place of the obstacle on its request. Only its owner learns of consent for an earlier
 * namespace: others get the same message as without consent. Only its owner reads the uids of claims.
 */
export function obstacleOfApproval(
  { approval, source, targetNamespace }: Consents,
  { reason }: Obstacle,
): StagedObstacle | undefined {
  if (approval && source && reason === 'ApprovedClaimReplaced') return replacedClaimForOwner(approval, source);
  const isGone = reason === 'SourceMissing' || reason === 'SourceReplaced';
  if (approval?.spec.source.uid && !source && isGone) return goneClaimForOwner(approval);
  if (!approval || reason !== 'ApprovalMissing') return undefined;
  return replaced(`approval ${displayName(approval.metadata)}`, approval, targetNamespace);
}

/** A grant in the source's namespace replaces an approval for each request that it covers. */
function isCovered({ metadata, spec }: TransferRequest, grants: readonly ReferenceGrant[]): boolean {
  const { kind } = resources.transferRequest;
  const from = { group: groupOf(resources.transferRequest), kind, namespace: metadata.namespace ?? '' };
  return isGranted(grants, { from, to: { group: '', kind: spec.source.kind, name: spec.source.name } });
}

/** Consent for a namespace does not cover a later one of the same name. */
function replaced(what: string, consent: ClusterObject, namespace: Namespace | undefined): StagedObstacle | undefined {
  if (appliesTo(consent, namespace)) return undefined;
  const message = namespace
    ? `${what}: ${howToConfirm(namespace)}`
    : `${what}: the namespace that it names does not exist`;
  return waitFor('NamespaceReplaced', message);
}

/** Errors in the request itself. The schema rejects most of them, but the cluster may have an older schema. */
export function requestObstacle({ spec, metadata }: TransferRequest): StagedObstacle | undefined {
  if (!spec.targetName) return reject('Invalid', 'spec.targetName is missing: create another request that has one');
  const { apiVersion, kind, namespace, name } = spec.source ?? {};
  if (!namespace || !name) return reject('Invalid', 'spec.source must have a namespace and a name');
  const illegal = [namespace, name, spec.targetName, spec.approvalName || 'none'].find((each) => !isLegalName(each));
  if (illegal)
    return reject('Invalid', `${quote(illegal)} is not a valid name: create another request with a valid one`);
  if (kind !== resources.claim.kind) {
    return reject('UnknownKind', `spec.source.kind is ${quote(kind)}: only PersistentVolumeClaim can be moved`);
  }
  if (apiVersion && apiVersion !== resources.claim.apiVersion) {
    return reject('UnknownKind', `spec.source.apiVersion is ${quote(apiVersion)}: it must be v1, or left out`);
  }
  if (namespace === metadata.namespace && name === spec.targetName) {
    return reject('Invalid', `source and target are the same claim, ${namespace}/${name}`);
  }
  return undefined;
}

/** Problems with the approval, for the request. */
function approvalObstacle(
  request: TransferRequest,
  approval: TransferApproval | undefined,
  namespace?: Namespace,
): StagedObstacle | undefined {
  const { approvalName, source } = request.spec;
  if (!approvalName) return missing(`no ReferenceGrant of namespace ${source.namespace} covers it`, request, namespace);
  const name = displayName({ namespace: source.namespace, name: approvalName });
  if (!approval || approval.metadata.deletionTimestamp) {
    return missing(`there is no StorageTransferApproval ${name} for this namespace`, request, namespace);
  }
  // An approval for another namespace is not revealed here, not even its existence.
  if (approval.spec.targetNamespace !== request.metadata.namespace) {
    return missing(`there is no StorageTransferApproval ${name} for this namespace`, request, namespace);
  }
  const found = differences(request, approval);
  if (found.length > 0)
    return reject('ApprovalDiffers', `approval ${name} does not match this request: ${found.join('; ')}`);
  if (!isUsed(approval)) return undefined;
  const message = `approval ${name} was used for an earlier request of this name: the owner of the source claim must delete that approval and approve this request`;
  return reject('ApprovalUsed', message);
}

function missing(what: string, { metadata }: TransferRequest, namespace: Namespace | undefined): StagedObstacle {
  const earlier = namespace ? `; if there is one already, ${whyUnconfirmed(namespace)}` : '';
  const message = `${what}: the owner of the source claim must approve request ${displayName(metadata)}, or allow it with a ReferenceGrant that names the claim${earlier}`;
  return waitFor('ApprovalMissing', message);
}

/** Problems with the request, for an approval that names it. */
export function counterpartObstacle(
  approval: TransferApproval,
  request: TransferRequest | undefined,
): StagedObstacle | undefined {
  const { targetNamespace, requestName } = approval.spec;
  const name = displayName({ namespace: targetNamespace, name: requestName });
  // A request to another namespace is not revealed here, not even its existence.
  if (request?.spec.source?.namespace !== approval.metadata.namespace) return missingRequest(name);
  if (!request || request.metadata.deletionTimestamp) return missingRequest(name);
  // The request reports the same about this approval itself.
  if (request.spec.approvalName === approval.metadata.name) return approvalObstacle(request, approval);
  const details = request.spec.approvalName
    ? `names approval ${quote(request.spec.approvalName)}`
    : 'names no approval';
  return reject(
    'RequestDiffers',
    `request ${name} ${details}: delete this approval, or create one that the request names`,
  );
}

function missingRequest(name: string): StagedObstacle {
  const message = `there is no StorageTransferRequest ${name} for this namespace: the side that wants the claim must create it`;
  return waitFor('RequestMissing', message);
}

function quote(value: unknown): string {
  return JSON.stringify(value) ?? 'absent';
}
