import type { Bucket } from '../../lib/capabilities/buckets/objects.ts';
import type { VolumeSnapshotLink } from '../../lib/capabilities/data-sources/objects.ts';
import type { TransferApproval, TransferRequest } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { bucketWaits } from '../bucket/progress.ts';
import type { ClusterOptions, NamespaceOptions } from '../connect/options.ts';
import { exitCodes } from '../exit-codes.ts';
import { agoText } from '../objects/age.ts';
import type { ClaimWithCapacity } from '../objects/claims.ts';
import { refuseNoNamespace } from '../objects/refusals.ts';
import { inCluster, type Work } from '../objects/work.ts';
import { type OutputForm, textOf } from '../terminal/output.ts';
import { printable } from '../terminal/printable.ts';
import { shellLine } from '../terminal/shell-line.ts';
import { dataWaiting, transfersWaiting } from './claims.ts';
import { Seen } from './seen.ts';
import { approvalsWaiting, requestsWaiting } from './transfers.ts';
import { partyOf, saidBy, type Wait } from './wait.ts';
import { turnInBucket } from './whose-turn.ts';

export interface PendingOptions extends ClusterOptions, NamespaceOptions {
  output?: OutputForm;
}

export async function pending(options: PendingOptions): Promise<void> {
  await inCluster(options, (work) => pendingIn(work, options));
}

/** In the cluster that the work is in. */
export async function pendingIn(work: Work, { allNamespaces, output }: PendingOptions): Promise<number> {
  const { namespace, user, reach } = work;
  const seen = new Seen(work, allNamespaces ? undefined : namespace);
  const waits = await waitsIn(seen, (each) => allNamespaces === true || each === namespace);
  waits.sort((one, other) => one.since.localeCompare(other.since));
  if (waits.length === 0 && !allNamespaces) await refuseNoNamespace(work, namespace);
  const own = waits.filter(({ waitsFor }) => waitsFor.is === 'you').length;
  const now = Date.now();
  if (output !== undefined) user.tell(textOf(listingOf(waits, now), output), true);
  else for (const wait of waits) user.tell(blockOf(wait, now, reach));
  for (const lacking of seen.lacking()) user.remark(`Not everything was seen: ${lacking}.`);
  const where = allNamespaces ? 'the cluster' : `namespace ${namespace}`;
  const counted = `${waits.length} ${waits.length === 1 ? 'waits' : 'wait'} in ${where}, ${own} of them for you`;
  user.remark(seen.isBlind ? `As far as it was seen, ${counted}.` : `${counted}.`);
  if (own > 0) return exitCodes.found;
  // Whoever may see nothing has found nothing, which must not look as if nothing waited.
  return seen.isBlind ? exitCodes.failed : exitCodes.done;
}

async function waitsIn(seen: Seen, isOwn: (namespace: string) => boolean): Promise<Wait[]> {
  const claims = await seen.list<ClaimWithCapacity>(resources.claim as Resource<ClaimWithCapacity>);
  const known = seen.isBlind ? undefined : claims;
  const requests = await seen.listEverywhere<TransferRequest>(resources.transferRequest);
  const approvals = await seen.list<TransferApproval>(resources.transferApproval);
  const buckets = await seen.list<Bucket>(resources.bucket);
  seen.refuseWithout([resources.transferRequest, resources.transferApproval, resources.bucket]);
  const links = claims.some(({ spec }) => spec.dataSourceRef?.kind === 'VolumeSnapshotLink')
    ? await seen.list<VolumeSnapshotLink>(resources.snapshotLink)
    : [];
  return [
    ...requestsWaiting(requests, known, isOwn),
    ...approvalsWaiting(approvals, isOwn),
    ...transfersWaiting(claims, isOwn),
    ...dataWaiting(claims, links, isOwn),
    ...bucketsWaiting(buckets),
  ];
}

function bucketsWaiting(buckets: readonly Bucket[]): Wait[] {
  return buckets.flatMap((bucket) => {
    const { metadata, status } = bucket;
    const { namespace = '', name } = metadata;
    const condition = bucketWaits(bucket);
    if (!condition && status?.phase === 'Bound') return [];
    const said = saidBy(metadata, condition);
    const turn = turnInBucket(said.reason);
    const waitsFor = turn === 'bucket' ? ({ is: 'you' } as const) : ({ is: turn } as const);
    const command = ['longshore', 'bucket', 'get', name, '-n', namespace, '-o', 'wide'];
    return [{ waitsFor, object: `bucket/${name}`, namespace, ...said, command }];
  });
}

function blockOf(wait: Wait, now: number, reach: readonly string[]): string {
  const { object, namespace, since, reason, message, command } = wait;
  const party = partyOf(wait);
  // The other side has a kubeconfig of its own.
  const line = shellLine(wait.waitsFor.is === 'namespace' ? command : [...command, ...reach]);
  const turn = wait.waitsFor.is === 'nobody' ? 'goes on by itself' : `waits for ${party}`;
  return `${printable(`${object} -n ${namespace} ${turn}`)} (${agoText(now - Date.parse(since))})
  ${printable(reason)}: ${printable(message)}
  ${wait.waitsFor.is === 'namespace' ? `for ${printable(party)}: ` : ''}${line}
`;
}

function listingOf(waits: readonly Wait[], now: number) {
  const items = waits.map((wait) => {
    const { object, namespace, since, reason, message, command } = wait;
    const cells = [partyOf(wait), namespace, object, reason, agoText(now - Date.parse(since)), message];
    const value = { ...wait, waitsFor: partyOf(wait), command: shellLine(command) };
    return { name: object, cells, more: [shellLine(command)], value };
  });
  return {
    heading: ['WAITING ON', 'NAMESPACE', 'OBJECT', 'REASON', 'AGE', 'MESSAGE'],
    headingMore: ['COMMAND'],
    items,
  };
}
