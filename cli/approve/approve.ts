import type { Claim, TransferApproval } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { exitCodes } from '../exit-codes.ts';
import { isUnderWay } from '../move/progress.ts';
import { approvalFor } from '../move/transfer-objects.ts';
import { describeClaim, refuseGoing } from '../objects/claims.ts';
import { create, read } from '../objects/objects.ts';
import { tryOut } from '../objects/refusals.ts';
import { inCluster, type Work } from '../objects/work.ts';
import { objectsText, telling, type WriteOptions } from '../objects/write-options.ts';
import { nameOfKind, namespaceName, objectName } from '../parse/names.ts';
import { shellLine } from '../terminal/shell-line.ts';
import { type Given, type Requested, whatIsRequested } from './requested.ts';
import { untilMoved } from './until-moved.ts';

export interface ApproveOptions extends WriteOptions {
  for: string;
  claim?: string;
  toName?: string;
  approval?: string;
  yes?: true;
  wait?: boolean;
  timeout?: number;
}

const { transferApproval, transferRequest, claim: claims } = resources;
const defaultTimeoutMs = 600_000;

export async function approve(request: string, options: ApproveOptions): Promise<void> {
  const optional = (option: string, name: string | undefined) =>
    name === undefined ? undefined : objectName(option, name);
  const given: Given = {
    requestName: nameOfKind(transferRequest, request),
    targetNamespace: namespaceName('--for', options.for),
    claim: optional('--claim', options.claim),
    toName: optional('--to-name', options.toName),
    approval: optional('--approval', options.approval),
  };
  await inCluster(options, (work) => approveIn(work, given, options));
}

/** In the cluster that the work is in. */
export async function approveIn(work: Work, given: Given, options: ApproveOptions): Promise<number> {
  const user = telling(work.user, options);
  const requested = await whatIsRequested(work, given);
  const claim = await read(work, claims, requested.namespace, requested.claim);
  const wanted = approvalFor(requested, claim?.metadata.uid);
  const what = `StorageTransferApproval ${requested.namespace}/${requested.name}`;
  const before = await read(work, transferApproval, requested.namespace, requested.name);
  if (before) refuseOther(before, wanted, what, work.reach);
  const approval = before ?? (await consented(work, requested, claim, wanted, options));
  if (!approval) return notApproved(work);
  if (options.output) work.user.tell(objectsText([options.dryRun ? wanted : approval], options.output), true);
  const places = `claim ${requested.namespace}/${requested.claim} may go to namespace ${requested.targetNamespace}`;
  user.tell(
    `${what} ${before ? 'exists already' : options.dryRun ? 'would be created (dry run)' : 'created'}: ${places}.`,
  );
  if (options.dryRun) return exitCodes.done;
  const withdraw = shellLine([
    'longshore',
    'cancel',
    `stappr/${requested.name}`,
    '-n',
    requested.namespace,
    ...work.reach,
  ]);
  if (!options.wait) {
    user.tell(`It moves when no pod uses it any more. To withdraw before that: ${withdraw}`);
    return exitCodes.done;
  }
  return untilMoved(work, user, {
    approval,
    requested,
    what,
    withdraw,
    timeoutMs: options.timeout ?? defaultTimeoutMs,
  });
}

/** Shows what is given away, asks, and approves; undefined if the answer was no. */
async function consented(
  work: Work,
  requested: Requested,
  claim: Claim | undefined,
  wanted: TransferApproval,
  options: ApproveOptions,
) {
  const { namespace, claim: name, targetNamespace, targetName, isRead } = requested;
  if (!claim)
    throw new Error(
      `there is no claim ${namespace}/${name}, so there is nothing to give: check the name with whoever requests it`,
    );
  refuseGoing(claim);
  if (requested.uid && requested.uid !== claim.metadata.uid) {
    throw new Error(
      `request ${targetNamespace}/${requested.requestName} is for an earlier claim ${namespace}/${name}, which has been deleted and recreated since: ask for a new request`,
    );
  }
  const source = isRead ? '' : ' (as you typed it: the request cannot be read)';
  const question = `This gives a claim with all of its data away:
${(await describeClaim(work, claim)).join('\n')}
  goes to: namespace ${targetNamespace}${targetName ? `, as claim ${targetName}` : ''}${source}
It is gone from namespace ${namespace} then.`;
  if (!options.dryRun) {
    // Whoever may not do it is told so before the question.
    await tryOut(create(work, transferApproval, wanted, true));
    if (options.yes) work.user.remark(question);
    else if (!(await work.user.confirm(question, `give ${name}`))) return undefined;
    await refuseReplaced(work, claim);
  }
  const made = await create(work, transferApproval, wanted, options.dryRun);
  if (made && made.spec.source.uid !== wanted.spec.source.uid) work.user.remark(unbound);
  if (made) return made;
  throw new Error(
    `somebody else has just created approval ${namespace}/${wanted.metadata.name}: look at it, and try again`,
  );
}

const unbound =
  "The cluster's definition of approvals is from an earlier version, without spec.source.uid: the approval is for whichever claim has this name when the transfer begins.";

/** What was shown must still be what is given. */
async function refuseReplaced(work: Work, shown: Claim): Promise<void> {
  const { namespace = '', name, uid } = shown.metadata;
  const found = await read(work, claims, namespace, name);
  if (found?.metadata.uid === uid) return;
  throw new Error(`claim ${namespace}/${name} is not the one that was shown any more, so nothing was approved`);
}

function refuseOther(found: TransferApproval, wanted: TransferApproval, what: string, reach: readonly string[]): void {
  const { source, targetNamespace, requestName } = found.spec;
  const { spec } = wanted;
  const { namespace = '', name, deletionTimestamp } = found.metadata;
  const line = shellLine(['kubectl', 'delete', `stappr/${name}`, '-n', namespace, ...reach]);
  if (deletionTimestamp) throw new Error(`${what} is being deleted: run this again when it is gone`);
  if (
    source.name !== spec.source.name ||
    targetNamespace !== spec.targetNamespace ||
    requestName !== spec.requestName
  ) {
    throw new Error(`${what} exists already, for claim ${source.name} and request ${targetNamespace}/${requestName}, and is left as it is. If it is not needed any more:
  ${line}`);
  }
  if (found.status?.complete) {
    throw new Error(`${what} has been used: an approval is for one transfer. To approve another one, remove it, and run this again:
  ${line}`);
  }
  if (source.uid && spec.source.uid && source.uid !== spec.source.uid && !isUnderWay(found)) {
    throw new Error(`${what} exists already, for an earlier claim ${source.name}, which has been deleted and recreated since: nothing is moved. To approve the present claim, remove it, and run this again:
  ${line}`);
  }
}

function notApproved({ user }: Work): number {
  user.remark('Nothing was approved. To approve without being asked, use --yes.');
  return user.stopped.aborted ? exitCodes.interrupted : exitCodes.failed;
}
