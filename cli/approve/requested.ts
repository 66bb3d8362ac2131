import type { TransferRequest } from '../../lib/kubernetes/objects.ts';
import { isLegalName, resources } from '../../lib/kubernetes/resources.ts';
import { approvalName, type Consent } from '../move/transfer-objects.ts';
import { attempt, ifAllowed } from '../objects/refusals.ts';
import type { Work } from '../objects/work.ts';
import { UsageError } from '../parse/usage-error.ts';
import { printable } from '../terminal/printable.ts';

export interface Given {
  /** The namespace that wants the claim. */
  targetNamespace: string;
  requestName: string;
  claim?: string | undefined;
  toName?: string | undefined;
  approval?: string | undefined;
}

export interface Requested extends Consent {
  /** As far as it is known. */
  targetName?: string | undefined;
  /** The claim that is meant, if the request says so. */
  uid?: string | undefined;
  /** False if it follows from what was typed alone. */
  isRead: boolean;
}

/** What exactly is to be approved: what the request says, and what was typed, which must not differ. */
export async function whatIsRequested(work: Work, given: Given): Promise<Requested> {
  const { targetNamespace, requestName } = given;
  const { apiVersion, plural } = resources.transferRequest;
  const path = `/apis/${apiVersion}/namespaces/${targetNamespace}/${plural}/${requestName}`;
  const deed = { verb: 'get', resource: resources.transferRequest, namespace: targetNamespace } as const;
  const request = await attempt(deed, () => ifAllowed(() => work.api.get<TransferRequest>(path)));
  return request ? fromRequest(work, request, given) : fromWords(work, given);
}

function fromRequest({ namespace }: Work, { spec }: TransferRequest, given: Given): Requested {
  const { targetNamespace, requestName, claim, toName, approval } = given;
  const what = `request ${targetNamespace}/${requestName}`;
  const { source, targetName, approvalName: named } = spec;
  if (source.kind !== resources.claim.kind)
    throw new Error(`${what} is for a ${printable(source.kind)}, not for a claim`);
  for (const [name, field] of [
    [source.name, 'claim'],
    [targetName, 'name of the target'],
    [named ?? '', 'approval'],
  ] as const) {
    if (name !== '' && !isLegalName(name))
      throw new Error(`${what} has ${JSON.stringify(name)} as its ${field}, which is no name`);
  }
  if (source.namespace !== namespace) {
    throw new Error(
      `${what} is for claim ${printable(source.namespace)}/${source.name}, not for one of namespace ${namespace}: check -n`,
    );
  }
  if (named === undefined) {
    throw new Error(
      `${what} names no approval, so only a ReferenceGrant can allow it. Ask for one that names an approval`,
    );
  }
  const differs = (option: string, typed: string | undefined, is: string) => {
    if (typed !== undefined && typed !== is) {
      throw new Error(
        `${what} does not say what you were told: ${option} is ${typed}, but there it is ${is}. Ask who requests it`,
      );
    }
  };
  differs('--claim', claim, source.name);
  differs('--to-name', toName, targetName);
  differs('--approval', approval, named);
  const { name: requestedClaim, uid } = source;
  return { namespace, name: named, claim: requestedClaim, uid, targetNamespace, requestName, targetName, isRead: true };
}

/** The request may not be read, or does not exist yet; an approval may come first. */
function fromWords({ namespace }: Work, { targetNamespace, requestName, claim, toName, approval }: Given): Requested {
  if (claim === undefined) {
    throw new UsageError(
      `there is no request ${targetNamespace}/${requestName}, or you may not read it: say with --claim what it is for. Whoever runs 'longshore move' gets the whole line`,
    );
  }
  const name = approval ?? approvalName({ namespace: targetNamespace, claim });
  return { namespace, name, claim, targetNamespace, requestName, targetName: toName, isRead: false };
}
