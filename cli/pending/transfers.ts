import type { Claim, TransferApproval, TransferRequest } from '../../lib/kubernetes/objects.ts';
import { waitingCondition } from '../move/progress.ts';
import { approveWords } from '../move/transfer-objects.ts';
import { describeWords, saidBy, type Wait } from './wait.ts';
import { type Side, type Turn, turnInTransfer } from './whose-turn.ts';

const approvalReasons = ['ApprovalMissing', 'ApprovalUsed', 'ApprovedClaimReplaced'];

interface Sides {
  /** The namespaces of both sides. */
  source: string;
  target: string;
  writer: string;
}

/**
 * Requests of these namespaces, and of others those that wait for these namespaces. The claims are those of these
 * namespaces, if they could be read.
 */
export function requestsWaiting(
  requests: readonly TransferRequest[],
  claims: readonly Claim[] | undefined,
  isOwn: (namespace: string) => boolean,
): Wait[] {
  return requests.flatMap((request) => {
    const { metadata, spec, status } = request;
    const { namespace = '', name } = metadata;
    if (status?.complete) return [];
    const said = saidBy(metadata, waitingCondition(request));
    const sides = { source: spec.source.namespace, target: namespace, writer: namespace };
    const turn = turnInTransfer(said.reason);
    if (!isOwn(namespace) && !(turn === 'source' && isOwn(sides.source))) return [];
    const object = `streq/${name}`;
    if (approvalReasons.includes(said.reason) && isOwn(sides.source) && claims && isOutdated(request, claims)) {
      // Nobody can approve it any more, so it is up to whoever requests it.
      const command = ['longshore', 'cancel', object, '-n', namespace];
      const message = `the request is for an earlier claim ${sides.source}/${spec.source.name}, which has been deleted since: withdraw it, and request the present one`;
      return [{ waitsFor: partyIn('target', sides, isOwn), object, namespace, ...said, message, command }];
    }
    const command = approvalReasons.includes(said.reason)
      ? approveWords(request)
      : turn === 'source'
        ? ['kubectl', 'get', 'pods', '-n', sides.source]
        : ['longshore', 'cancel', object, '-n', namespace];
    const withdrawal = turn === 'nobody' || turn === 'administrator' ? describeWords(object, namespace) : command;
    return [{ waitsFor: partyIn(turn, sides, isOwn), object, namespace, ...said, command: withdrawal }];
  });
}

/** A request that names one claim is for no other one that has its name. */
function isOutdated({ spec: { source } }: TransferRequest, claims: readonly Claim[]): boolean {
  const isNamed = ({ metadata }: Claim) => metadata.namespace === source.namespace && metadata.name === source.name;
  return source.uid !== undefined && claims.find(isNamed)?.metadata.uid !== source.uid;
}

/** Only those that say something of their own: one that matches says the same as its request. */
export function approvalsWaiting(
  approvals: readonly TransferApproval[],
  isOwn: (namespace: string) => boolean,
): Wait[] {
  return approvals.flatMap((approval) => {
    const { metadata, spec, status } = approval;
    const { namespace = '', name } = metadata;
    const isMatched = status?.conditions?.some(({ type, status: is }) => type === 'Matched' && is === 'True');
    if (status?.complete || isMatched) return [];
    const said = saidBy(metadata, waitingCondition(approval));
    const sides = { source: namespace, target: spec.targetNamespace, writer: namespace };
    const turn = turnInTransfer(said.reason);
    const object = `stappr/${name}`;
    const isOurTurn = turn === 'source' || turn === 'writer';
    const command = isOurTurn ? ['longshore', 'cancel', object, '-n', namespace] : describeWords(object, namespace);
    return [{ waitsFor: partyIn(turn, sides, isOwn), object, namespace, ...said, command }];
  });
}

export function partyIn(turn: Turn<Side>, sides: Sides, isOwn: (namespace: string) => boolean): Wait['waitsFor'] {
  if (turn === 'administrator' || turn === 'nobody') return { is: turn };
  return isOwn(sides[turn]) ? { is: 'you' } : { is: 'namespace', name: sides[turn] };
}
