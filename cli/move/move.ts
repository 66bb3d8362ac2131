import type { Claim, TransferRequest } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { exitCodes } from '../exit-codes.ts';
import { tellEnd } from '../objects/end.ts';
import { follow } from '../objects/follow.ts';
import { create, read } from '../objects/objects.ts';
import { ifAllowed } from '../objects/refusals.ts';
import { inCluster, type Work } from '../objects/work.ts';
import { objectsText, telling, type WriteOptions } from '../objects/write-options.ts';
import { nameOfKind, namespaceName, objectName } from '../parse/names.ts';
import { UsageError } from '../parse/usage-error.ts';
import { shellLine } from '../terminal/shell-line.ts';
import { isUnderWay, progressOf, sentenceOf, waitingCondition } from './progress.ts';
import { approveWords, requestFor, type Wish } from './transfer-objects.ts';

export interface MoveOptions extends WriteOptions {
  from: string;
  toName?: string;
  /** In milliseconds. */
  timeout?: number;
  wait?: boolean;
}

const { transferRequest, claim: claims } = resources;
const unapproved = ['ApprovalMissing', 'ApprovalUsed', 'ApprovalDiffers', 'ApprovedClaimReplaced'];
const defaultTimeoutMs = 600_000;

export async function move(claim: string, options: MoveOptions): Promise<void> {
  const name = nameOfKind(claims, claim);
  const from = namespaceName('--from', options.from);
  const toName = objectName('--to-name', options.toName ?? name);
  await inCluster(options, (work) => moveIn(work, { namespace: work.namespace, from, claim: name, toName }, options));
}

/** In the cluster that the work is in. */
export async function moveIn(work: Work, wish: Wish, options: MoveOptions): Promise<number> {
  const { namespace, from, claim, toName } = wish;
  if (namespace === from && claim === toName) {
    throw new UsageError('the claim is there already: give --to-name, or the namespace that wants it with -n');
  }
  const user = telling(work.user, options);
  const wanted = requestFor({ ...wish, uid: await uidOfSource(work, wish) });
  const { isNew, request } = await requested(work, wanted, options.dryRun === true);
  const { output, dryRun } = options;
  if (output) work.user.tell(objectsText([dryRun ? wanted : request], output), true);
  const what = `StorageTransferRequest ${namespace}/${wanted.metadata.name}`;
  const places = `claim ${from}/${claim} moves to ${namespace}/${toName}`;
  if (dryRun) {
    user.tell(`${what} ${isNew ? 'would be created' : 'exists already'} (dry run): ${places}.`);
    return exitCodes.done;
  }
  if (request.status?.complete) return tellComplete(work, user, wish, request);
  user.tell(`${what} ${isNew ? 'created' : 'is there already'}: ${places} when its owner has approved it.`);
  tellOwner(user, request);
  const again = shellLine(wordsAgain(work, wish));
  if (!options.wait) {
    user.tell(`To follow it: ${again}`);
    return exitCodes.done;
  }
  let seen: TransferRequest | undefined;
  const { ending } = await follow(user, options.timeout ?? defaultTimeoutMs, async () => {
    seen = await read(work, transferRequest, namespace, wanted.metadata.name);
    return progressOf(seen, what, request.metadata.uid);
  });
  const waiting = seen && waitingCondition(seen);
  return tellEnd(user, ending, {
    over: `Moved: claim ${namespace}/${toName} has the volume of ${from}/${claim}.`,
    stays: what,
    again,
    withdraw: shellLine(['longshore', 'cancel', `streq/${wanted.metadata.name}`, '-n', namespace, ...work.reach]),
    waitsFor: waiting && sentenceOf(waiting),
  });
}

/** The request of this name, if it is for the same; otherwise a new one. One for something else is left alone. */
async function requested(work: Work, wanted: TransferRequest, isDryRun: boolean) {
  const { namespace = '', name } = wanted.metadata;
  const before = await read(work, transferRequest, namespace, name);
  if (!before) {
    await refuseTaken(work, wanted);
    const request = await create(work, transferRequest, wanted, isDryRun);
    if (request) return { isNew: true, request };
  }
  const request = before ?? (await read(work, transferRequest, namespace, name));
  if (!request) throw new Error(`somebody else creates and deletes request ${name} at this moment: try again`);
  const difference = differenceOf(request, wanted);
  if (difference === undefined) return { isNew: false, request };
  const cancel = shellLine(['longshore', 'cancel', `streq/${name}`, '-n', namespace, ...work.reach]);
  throw new Error(`StorageTransferRequest ${namespace}/${name} ${difference}, and is left as it is. To withdraw it first:
  ${cancel}`);
}

function differenceOf(request: TransferRequest, wanted: TransferRequest): string | undefined {
  const { metadata, spec } = request;
  if (metadata.deletionTimestamp) return 'is being deleted';
  const { source } = spec;
  const isSameClaim = source.namespace === wanted.spec.source.namespace && source.name === wanted.spec.source.name;
  if (!isSameClaim) return `exists already, for another claim (${source.namespace}/${source.name})`;
  const { uid } = wanted.spec.source;
  if (source.uid && uid && source.uid !== uid && !isUnderWay(request)) {
    return `exists already, for an earlier claim ${source.namespace}/${source.name}, which has been deleted and recreated since`;
  }
  if (spec.targetName !== wanted.spec.targetName) return `exists already, with another target (${spec.targetName})`;
  if (spec.approvalName !== wanted.spec.approvalName)
    return `exists already, with another approval (${spec.approvalName ?? 'none'})`;
  return undefined;
}

/** Whoever may see the claim means that one. Whoever may not takes what the owner of the claim approves. */
async function uidOfSource(work: Work, { from, claim }: Wish): Promise<string | undefined> {
  const path = `/api/v1/namespaces/${from}/persistentvolumeclaims/${claim}`;
  const source = await ifAllowed(() => work.api.get<Claim>(path));
  return source?.metadata.uid;
}

/** Longshore would say so as well, but only after the owner has approved. */
async function refuseTaken(work: Work, { metadata, spec }: TransferRequest): Promise<void> {
  const { namespace = '' } = metadata;
  const taken = await ifAllowedToRead(work, namespace, spec.targetName);
  if (taken) throw new Error(`claim ${namespace}/${spec.targetName} exists already: give another name with --to-name`);
}

function ifAllowedToRead({ api }: Work, namespace: string, name: string) {
  return ifAllowed(() => api.get(`/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`));
}

function tellOwner(user: Work['user'], request: TransferRequest): void {
  const waiting = waitingCondition(request);
  // It has come further than that.
  if (request.status && waiting && !unapproved.includes(waiting.reason)) return;
  user.tell(`The owner of namespace ${request.spec.source.namespace} approves it with this line, unless a ReferenceGrant there allows it already:

  ${shellLine(approveWords(request))}
`);
}

/** A request is for one transfer: what it moved is told, and not moved again. */
async function tellComplete(work: Work, user: Work['user'], wish: Wish, request: TransferRequest): Promise<number> {
  const { namespace, toName, from, claim } = wish;
  const { name } = request.metadata;
  const removal = shellLine(['kubectl', 'delete', `streq/${name}`, '-n', namespace, ...work.reach]);
  const target = await ifAllowedToRead(work, namespace, toName);
  user.tell(
    `Request ${namespace}/${name} was complete before: claim ${from}/${claim} was moved to ${namespace}/${toName}.`,
  );
  if (target) return exitCodes.done;
  user.remark(`There is no claim ${namespace}/${toName} any more, or you may not read it. To move another claim of the name
${from}/${claim}, remove the finished request, which removes nothing else, and run this again:
  ${removal}`);
  return exitCodes.failed;
}

function wordsAgain({ reach }: Work, { namespace, from, claim, toName }: Wish): string[] {
  const renamed = toName === claim ? [] : ['--to-name', toName];
  return ['longshore', 'move', `pvc/${claim}`, '--from', from, ...renamed, '-n', namespace, ...reach];
}
