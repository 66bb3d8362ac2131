import type { TransferApproval, TransferRequest } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { limitedName } from '../objects/limited-name.ts';

/** Who wants which claim, and under which name. */
export interface Wish {
  /** The namespace that wants the claim. */
  namespace: string;
  from: string;
  claim: string;
  toName: string;
  /** The claim that is meant, if it can be read: none that is created later under its name. */
  uid?: string | undefined;
}

/**
 * The name of a request follows from what it asks for: the same command finds it again. A namespace has no dot in its
 * name, so no two claims share one.
 */
export function requestName({ from, claim }: Pick<Wish, 'from' | 'claim'>): string {
  return limitedName(`${from}.${claim}`);
}

/** In the namespace that approves, the other namespace tells approvals of the same claim apart. */
export function approvalName({ namespace, claim }: Pick<Wish, 'namespace' | 'claim'>): string {
  return limitedName(`${namespace}.${claim}`);
}

export function requestFor(wish: Wish): TransferRequest & { spec: { approvalName: string } } {
  const { apiVersion, kind } = resources.transferRequest;
  const { namespace, from, claim, toName, uid } = wish;
  return {
    apiVersion,
    kind,
    metadata: { namespace, name: requestName(wish) },
    spec: {
      source: { kind: resources.claim.kind, namespace: from, name: claim, ...(uid ? { uid } : {}) },
      approvalName: approvalName(wish),
      targetName: toName,
    },
  };
}

export interface Consent {
  /** The namespace that gives the claim, in which the approval is. */
  namespace: string;
  name: string;
  claim: string;
  targetNamespace: string;
  requestName: string;
}

/** For one claim: whatever is created later under its name is not approved. */
export function approvalFor(consent: Consent, uid: string | undefined): TransferApproval {
  const { apiVersion, kind } = resources.transferApproval;
  const { namespace, name, claim, targetNamespace, requestName } = consent;
  return {
    apiVersion,
    kind,
    metadata: { namespace, name },
    spec: {
      source: { kind: resources.claim.kind, name: claim, ...(uid ? { uid } : {}) },
      targetNamespace,
      requestName,
    },
  };
}

/** What the other side has to type: with everything that it needs if it may not read the request. */
export function approveWords({ metadata, spec }: TransferRequest): string[] {
  const { source, approvalName: name = '', targetName } = spec;
  const { namespace = '' } = metadata;
  return [
    ...['longshore', 'approve', `streq/${metadata.name}`, '-n', source.namespace, '--for', namespace],
    ...['--claim', source.name, '--to-name', targetName, '--approval', name],
  ];
}
